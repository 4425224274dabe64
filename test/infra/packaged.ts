import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";

const resource = z.object({
  Type: z.string(),
  Condition: z.string().optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const templateSchema = z.object({ Resources: z.record(z.string(), resource) });
export type Resource = z.infer<typeof resource>;
export type Template = z.infer<typeof templateSchema>;

export interface Packaged {
  folder: string;
  template: Template;
  output: string;
  remove(): void;
}

/**
 * The service packaged as `npm run package:aws` does it, into a folder of its own: without credentials, without a home
 * folder, and with every way to the network leading to a closed port.
 */
export function packageService(): Packaged {
  const folder = mkdtempSync(join(tmpdir(), "proxy-audit-package-"));
  const nowhere = "http://127.0.0.1:1";
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: "/nonexistent",
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
    https_proxy: nowhere,
    http_proxy: nowhere,
  };
  const steps = [
    ["scripts/bundle-functions.ts"],
    ["node_modules/osls/bin/serverless.js", "package", "--package", folder],
  ];
  let output = "";
  for (const step of steps) {
    const run = spawnSync(process.execPath, step, { encoding: "utf8", env, timeout: 120_000 });
    output += run.stdout + run.stderr;
    if (run.status !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`${step.join(" ")} ended with ${run.status}:\n${output}`);
    }
  }
  const text = readFileSync(join(folder, "cloudformation-template-update-stack.json"), "utf8");
  return {
    folder,
    template: templateSchema.parse(JSON.parse(text)),
    output,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function ofType(template: Template, type: string): [name: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

const one = <T extends z.ZodType>(item: T) => z.union([item.transform((value) => [value]), z.array(item)]);
const statementSchema = z.object({
  Effect: z.string(),
  Action: one(z.string()),
  Resource: one(z.unknown()).optional(),
});
const rolePolicies = z.object({
  ManagedPolicyArns: z.unknown().optional(),
  Policies: z
    .array(z.object({ PolicyDocument: z.object({ Statement: z.array(statementSchema) }) }))
    .default([]),
});
export type Statement = z.infer<typeof statementSchema>;

/** What a role's own policies allow. */
export function statementsOf({ Properties }: Resource): Statement[] {
  return rolePolicies.parse(Properties).Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}
