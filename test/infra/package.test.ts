import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig, SETTINGS, type SettingName } from "#src/config.ts";
import { MAX_DELIVERIES } from "#src/fleet-run/batch.ts";
import { ACCOUNT_WORST_CASE_MS, CLUSTER_WORST_CASE_MS } from "#src/fleet-run/limits.ts";
import { METRICS } from "#src/fleet-run/telemetry.ts";
import { FUNCTION_BUDGETS } from "../../scripts/function-budgets.ts";
import { tableTemplate } from "../../scripts/table-template.ts";
import { ofType, type Packaged, packageService, type Resource } from "./packaged.ts";

describe("the packaged service", () => {
  let packaged: Packaged;

  beforeAll(() => {
    packaged = packageService();
  }, 180_000);
  afterAll(() => packaged?.remove());

  const all = (type: string) => ofType(packaged.template, type);
  const property = ({ Properties }: Resource, name: string): unknown => Properties[name];
  const functions = () => all("AWS::Lambda::Function");
  /** The resource that a Ref or GetAtt names. */
  const target = (value: unknown): string => {
    const reference = value as { Ref?: string; "Fn::GetAtt"?: [string, string] };
    return reference.Ref ?? reference["Fn::GetAtt"]?.[0] ?? "";
  };

  it("is made without credentials, a home folder or the network", () => {
    expect(packaged.output).toContain("Service packaged");
  });

  it("holds one bundle a function, within its budget", () => {
    const sizes = Object.keys(FUNCTION_BUDGETS).map((name) => {
      const kib = statSync(join("dist/functions", name, "index.mjs")).size / 1024;
      return { name, within: kib <= FUNCTION_BUDGETS[name as keyof typeof FUNCTION_BUDGETS] };
    });
    expect(sizes.filter(({ within }) => !within)).toEqual([]);
    expect(functions().map(([, { Properties }]) => String(Properties.Handler).split("/")[2])).toEqual(
      expect.arrayContaining(Object.keys(FUNCTION_BUDGETS)),
    );
    expect(functions()).toHaveLength(Object.keys(FUNCTION_BUDGETS).length);
  });

  it("runs every function on Node 24, on arm64, with a role of its own and a log that ends", () => {
    const roles = functions().map(([, one]) => target(property(one, "Role")));
    expect(new Set(roles).size).toBe(functions().length);
    expect(roles).not.toContain("IamRoleLambdaExecution");
    for (const [name, one] of functions()) {
      expect({
        name,
        runtime: property(one, "Runtime"),
        architectures: property(one, "Architectures"),
      }).toEqual({
        name,
        runtime: "nodejs24.x",
        architectures: ["arm64"],
      });
      const group = all("AWS::Logs::LogGroup").find(
        ([, log]) => property(log, "LogGroupName") === `/aws/lambda/${property(one, "FunctionName")}`,
      );
      expect({ name, retention: group?.[1].Properties.RetentionInDays }).toEqual({ name, retention: 30 });
    }
  });

  it("gives every queue encryption and a dead-letter queue, above the code's own limit", () => {
    const queues = all("AWS::SQS::Queue");
    const dead = queues.filter(([name]) => name.endsWith("DeadLetterQueue")).map(([name]) => name);
    for (const [name, queue] of queues) {
      expect({ name, encrypted: property(queue, "SqsManagedSseEnabled") }).toEqual({ name, encrypted: true });
      if (dead.includes(name)) continue;
      const { deadLetterTargetArn, maxReceiveCount } = property(queue, "RedrivePolicy") as Record<
        string,
        unknown
      >;
      expect({ name, dead: dead.includes(target(deadLetterTargetArn)) }).toEqual({ name, dead: true });
      expect(Number(maxReceiveCount)).toBeGreaterThan(MAX_DELIVERIES);
    }
  });

  it("hides messages six times as long as their function may take, and answers for each apart", () => {
    const mappings = all("AWS::Lambda::EventSourceMapping");
    expect(mappings.length).toBeGreaterThanOrEqual(2);
    for (const [name, mapping] of mappings) {
      const queue = packaged.template.Resources[target(property(mapping, "EventSourceArn"))];
      const lambda = packaged.template.Resources[target(property(mapping, "FunctionName"))];
      const visible = Number(queue?.Properties.VisibilityTimeout);
      expect({ name, long: visible >= 6 * Number(lambda?.Properties.Timeout) }).toEqual({ name, long: true });
      expect({ name, types: property(mapping, "FunctionResponseTypes") }).toEqual({
        name,
        types: ["ReportBatchItemFailures"],
      });
      expect(property(mapping, "ScalingConfig")).toEqual({ MaximumConcurrency: expect.any(Number) });
    }
  });

  it("leaves a function the time for what it begins", () => {
    const timeoutOf = (name: string) =>
      Number(packaged.template.Resources[`${name}LambdaFunction`]?.Properties.Timeout) * 1_000;
    // A batch of four, two at a time.
    expect(timeoutOf("Audit")).toBeGreaterThanOrEqual(2 * CLUSTER_WORST_CASE_MS);
    expect(timeoutOf("Enumerate")).toBeGreaterThanOrEqual(ACCOUNT_WORST_CASE_MS);
  });

  it("lets nobody in by URL without a signature of IAM's, or of Slack's with a limit on how many at a time", () => {
    for (const [name, url] of all("AWS::Lambda::Url")) {
      const lambda = target(property(url, "TargetFunctionArn"));
      const open = property(url, "AuthType") !== "AWS_IAM";
      expect({ name, open }).toEqual({ name, open: lambda === "SlackLambdaFunction" });
      if (!open) continue;
      const concurrency = packaged.template.Resources[lambda]?.Properties.ReservedConcurrentExecutions;
      expect(concurrency).toEqual(expect.any(Number));
    }
  });

  it("keeps the table encrypted, recoverable, and as the tests create it", () => {
    const [, table] = all("AWS::DynamoDB::Table")[0] ?? [];
    expect(table?.Properties).toMatchObject({
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
    expect(readFileSync("infra/service/table.yml", "utf8")).toBe(tableTemplate());
  });

  it("retries what the clock starts, and keeps what never started", () => {
    const schedules = all("AWS::Scheduler::Schedule");
    expect(schedules.length).toBeGreaterThanOrEqual(2);
    for (const [name, schedule] of schedules) {
      const { RetryPolicy, DeadLetterConfig } = property(schedule, "Target") as Record<string, unknown>;
      expect({ name, RetryPolicy, DeadLetterConfig }).toEqual({
        name,
        RetryPolicy: expect.any(Object),
        DeadLetterConfig: { Arn: expect.any(Object) },
      });
    }
    const discover = packaged.template.Resources.DiscoverSchedule;
    expect(discover?.Properties).toMatchObject({ ScheduleExpressionTimezone: "Etc/UTC" });
  });

  it("raises alarms on metrics that there are", () => {
    const own = all("AWS::CloudWatch::Alarm")
      .filter(([, alarm]) => property(alarm, "Namespace") === "ProxyAudit")
      .map(([, alarm]) => property(alarm, "MetricName"));
    expect(own.filter((name) => !METRICS.some((metric) => metric === name))).toEqual([]);
    expect(own).toEqual(expect.arrayContaining(["AuditsStored", "RunPartial"]));
    for (const [name, alarm] of all("AWS::CloudWatch::Alarm")) {
      expect({ name, actions: property(alarm, "AlarmActions") }).toEqual({
        name,
        actions: [{ Ref: "AlarmTopic" }],
      });
    }
  });

  it("gives every function the settings that it reads, in a form that they take, and no others", () => {
    for (const [name, lambda] of functions()) {
      const { Variables } = property(lambda, "Environment") as { Variables: Record<string, unknown> };
      const own = Object.entries(Variables).map(([key, value]): [string, string] => [
        key,
        typeof value === "string" ? value : key.endsWith("_URL") ? "https://sqs.example/1/q" : "text",
      ]);
      const settings = settingsReadBy(String(lambda.Properties.Handler).split("/")[2] ?? "");
      expect(() =>
        readConfig({ AWS_REGION: "eu-west-1", ...Object.fromEntries(own) }, settings),
      ).not.toThrow();
      const read = settings.map((setting): string => SETTINGS[setting].variable);
      expect({ name, unread: own.map(([key]) => key).filter((key) => !read.includes(key)) }).toEqual({
        name,
        unread: [],
      });
    }
  });

  it("holds no secret, only names of secrets", () => {
    const text = JSON.stringify(packaged.template);
    expect(text).not.toMatch(/xoxb-|xapp-|AKIA[0-9A-Z]{16}/);
    expect(text).toContain("ssm:/proxy-audit/external-id");
  });

  it("passes cfn-lint", (context) => {
    const found = spawnSync("cfn-lint", ["--version"], { encoding: "utf8" });
    if (found.error !== undefined) {
      context.skip("cfn-lint is not on the PATH: pip install cfn-lint");
      return;
    }
    const files = [
      join(packaged.folder, "cloudformation-template-update-stack.json"),
      "infra/member/role.yml",
      "infra/access/access-entry.yml",
      "infra/in-cluster/role.yml",
    ];
    const run = spawnSync("cfn-lint", ["--non-zero-exit-code", "error", ...files], { encoding: "utf8" });
    expect({ status: run.status, errors: run.stdout.match(/^E\d+ .*/gm) ?? [] }).toEqual({
      status: 0,
      errors: [],
    });
  }, 60_000);
});

/** The names in a function's `readConfig(process.env, [...])`. */
function settingsReadBy(name: string): SettingName[] {
  const source = readFileSync(join("functions", `${name}.ts`), "utf8");
  const [, list = ""] = /readConfig\((?:process\.)?env, \[([^\]]*)\]/.exec(source) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, setting]) => setting as SettingName);
}
