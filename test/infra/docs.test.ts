import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { slackSettingsSchema } from "#src/slack/settings.ts";
import { costDocument } from "../../scripts/cost-docs.ts";

const deploy = readFileSync("docs/deploy.md", "utf8");

describe("the documents about running it", () => {
  it("hold the costs that the model computes", () => {
    expect(readFileSync("docs/cost.md", "utf8")).toBe(costDocument());
  });

  it("show Slack settings that the app takes", () => {
    const [, json = ""] = /```json\n([\s\S]*?)```/.exec(deploy) ?? [];
    expect(slackSettingsSchema.safeParse(JSON.parse(json)).success).toBe(true);
  });

  it("name only parameters that the deployment has", () => {
    const serverless = readFileSync("serverless.yml", "utf8");
    const known = serverless.slice(serverless.indexOf("params:"), serverless.indexOf("provider:"));
    const named = [...deploy.matchAll(/--param="(\w+)=/g)].map(([, name]) => name ?? "");
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !known.includes(`    ${name}:`))).toEqual([]);
  });

  it("mark every step that nobody has run against AWS", () => {
    const steps = [...deploy.matchAll(/^## (?:\d+\.|How to remove).*$/gm)].map(([heading]) => heading);
    expect(steps.length).toBe(10);
    expect(steps.filter((heading) => !heading.endsWith("☐"))).toEqual([]);
  });
});
