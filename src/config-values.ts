import { z } from "zod";
import type { NamedText } from "#src/aws/named-text.ts";

/** Which accounts are looked into: as `AccountSource` has it, without what other settings say. */
export type ConfiguredAccounts =
  | { kind: "organization" }
  | { kind: "caller" }
  | { kind: "static"; accounts: string[] };

/** Kinds of values that environment variables hold: each takes text, and says what is wrong with it. */
export const word = z.string().min(1);
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
export const listOf = (item: z.ZodType<string, string>) => list.pipe(z.array(item));
export const accountId = z.string().regex(/^\d{12}$/, "an account id is 12 digits");
export const optional = <T>(schema: z.ZodType<T, string>) =>
  z.union([z.literal("").transform(() => null), schema]) as z.ZodType<T | null, string>;
export const yesOrNo = z.enum(["true", "false"]).transform((text) => text === "true");
export const positive = z
  .string()
  .regex(/^\d+$/, "not a whole number")
  .transform(Number)
  .pipe(z.number().int().min(1));
export const queueUrl = z.url("not the address of a queue");

export const accounts = word.transform((text, context): ConfiguredAccounts => {
  if (text === "organization" || text === "caller") return { kind: text };
  const ids = listOf(accountId).safeParse(text);
  if (ids.success && ids.data.length > 0) return { kind: "static", accounts: ids.data };
  context.addIssue("neither `organization`, `caller` nor account ids of 12 digits");
  return z.NEVER;
});

export const named = word.transform((text, context): NamedText => {
  const [, service, name = ""] = /^(ssm|secretsmanager):(.*)$/s.exec(text) ?? [];
  if (service === undefined) return { from: "environment", value: text };
  if (name === "") {
    context.addIssue(`no name after ${service}:`);
    return z.NEVER;
  }
  return { from: service === "ssm" ? "ssm" : "secrets-manager", name };
});
