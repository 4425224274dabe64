import { parse } from "yaml";
import { z } from "zod";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { ClusterRef } from "./cluster-ref.ts";

/** Whose a cluster is: the tags to look at, and who owns what has none of them. */
export interface OwnershipRules {
  /** Tag keys by preference; upper and lower case do not matter. */
  teamTags: readonly string[];
  environmentTags: readonly string[];
  mapping: readonly OwnershipRule[];
}

const ruleSchema = z
  .strictObject({
    account: z
      .string()
      .regex(/^\d{12}$/, "an account is 12 digits, in quotes")
      .optional(),
    region: z.string().optional(),
    /** A cluster's name; `*` stands for any text. */
    cluster: z.string().optional(),
    team: z.string().min(1).optional(),
    environment: z.string().min(1).optional(),
  })
  .refine(({ team, environment }) => team ?? environment, "names neither a team nor an environment");
export type OwnershipRule = z.infer<typeof ruleSchema>;
const mappingSchema = z.array(ruleSchema);

export const DEFAULT_TEAM_TAGS = ["team", "owner", "squad"];
export const DEFAULT_ENVIRONMENT_TAGS = ["environment", "env", "stage"];

/**
 * The rules of a mapping file: a YAML or JSON list of `{account, region, cluster, team, environment}`.
 *
 * @throws ProxyAuditError `invalid-configuration` that names the file and the rule.
 */
export function parseOwnershipMapping(text: string, file: string): OwnershipRule[] {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new ProxyAuditError("invalid-configuration", `${file} is not YAML: ${(cause as Error).message}`, {
      cause,
    });
  }
  const parsed = mappingSchema.safeParse(value ?? []);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [index, ...rest] = issue?.path ?? [];
  const where =
    typeof index === "number" ? `rule ${index + 1}${rest.map((key) => ` ${String(key)}`).join("")}` : "it";
  throw new ProxyAuditError("invalid-configuration", `${file}: ${where}: ${issue?.message ?? "not a rule"}`);
}

export type Tags = Readonly<Record<string, string>>;

/** Team and environment: the cluster's own tags first, then its account's, then the first rule that fits. */
export function ownerOf(
  ref: ClusterRef,
  tags: { cluster: Tags; account: Tags },
  rules: OwnershipRules,
): { team: string | null; environment: string | null } {
  const fitting = rules.mapping.filter((rule) => fits(rule, ref));
  const tagged = (keys: readonly string[]) => tagOf(tags.cluster, keys) ?? tagOf(tags.account, keys);
  const { teamTags, environmentTags } = rules;
  return {
    team: tagged(teamTags) ?? fitting.find(({ team }) => team)?.team ?? null,
    environment:
      tagged(environmentTags) ?? fitting.find(({ environment }) => environment)?.environment ?? null,
  };
}

function tagOf(tags: Tags, keys: readonly string[]): string | null {
  for (const key of keys) {
    const wanted = key.toLowerCase();
    const found = Object.entries(tags).find(([name, value]) => name.toLowerCase() === wanted && value !== "");
    if (found !== undefined) return found[1];
  }
  return null;
}

function fits(rule: OwnershipRule, ref: ClusterRef): boolean {
  return (
    (rule.account === undefined || rule.account === ref.account) &&
    (rule.region === undefined || rule.region === ref.region) &&
    (rule.cluster === undefined || matches(rule.cluster, ref.name))
  );
}

/** Whether a name fits a pattern in which `*` stands for any text. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
