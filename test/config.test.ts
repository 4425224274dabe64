import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig, SETTINGS, type SettingName } from "#src/config.ts";
import { configurationDocs } from "../scripts/config-docs.ts";

const all = Object.keys(SETTINGS) as SettingName[];
const complete = {
  AWS_REGION: "eu-west-1",
  PROXY_AUDIT_TABLE: "proxy-audit",
  PROXY_AUDIT_ACCOUNTS_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/111111111111/accounts",
  PROXY_AUDIT_CLUSTERS_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/111111111111/clusters",
  PROXY_AUDIT_ACCOUNTS: "organization",
  PROXY_AUDIT_DEAD_LETTER_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/111111111111/dead-letters",
  PROXY_AUDIT_SLACK_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/111111111111/slack",
  PROXY_AUDIT_SLACK_SIGNING_SECRET: "ssm:/proxy-audit/slack/signing-secret",
  PROXY_AUDIT_SLACK_SETTINGS: "secretsmanager:proxy-audit/slack",
};

describe("the functions' configuration", () => {
  it("is read with its defaults from what must be set", () => {
    expect(readConfig(complete, all)).toEqual({
      region: "eu-west-1",
      table: "proxy-audit",
      maxAuditAgeHours: 36,
      accountsQueueUrl: complete.PROXY_AUDIT_ACCOUNTS_QUEUE_URL,
      clustersQueueUrl: complete.PROXY_AUDIT_CLUSTERS_QUEUE_URL,
      deadLetterQueueUrl: complete.PROXY_AUDIT_DEAD_LETTER_QUEUE_URL,
      runHours: 6,
      accounts: { kind: "organization" },
      organizationalUnits: [],
      excludedAccounts: [],
      aggregator: null,
      regions: [],
      teamTags: ["team", "owner", "squad"],
      environmentTags: ["environment", "env", "stage"],
      accountTags: true,
      owners: null,
      memberRole: "proxy-audit-read",
      externalId: null,
      kubernetesIdentity: "member",
      privateEndpoints: false,
      extraEndpointHosts: [],
      postingRole: "proxy-audit-post",
      slackQueueUrl: complete.PROXY_AUDIT_SLACK_QUEUE_URL,
      slackSigningSecret: { from: "ssm", name: "/proxy-audit/slack/signing-secret" },
      slackPreviousSigningSecret: null,
      slackSettings: { from: "secrets-manager", name: "proxy-audit/slack" },
      slackApiUrl: null,
    });
  });

  it.each([
    ["accounts", "PROXY_AUDIT_ACCOUNTS", "caller", { kind: "caller" }],
    [
      "accounts",
      "PROXY_AUDIT_ACCOUNTS",
      " 111111111111, 222222222222,",
      {
        kind: "static",
        accounts: ["111111111111", "222222222222"],
      },
    ],
    [
      "regions",
      "PROXY_AUDIT_REGIONS",
      "eu-west-1,us-gov-west-1, eusc-de-east-1",
      ["eu-west-1", "us-gov-west-1", "eusc-de-east-1"],
    ],
    [
      "organizationalUnits",
      "PROXY_AUDIT_ORGANIZATIONAL_UNITS",
      "ou-ab12-cdef,r-ab12",
      ["ou-ab12-cdef", "r-ab12"],
    ],
    ["extraEndpointHosts", "PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS", "10.0.0.5:8443", ["10.0.0.5:8443"]],
    ["accountTags", "PROXY_AUDIT_ACCOUNT_TAGS", "false", false],
    ["memberRole", "PROXY_AUDIT_MEMBER_ROLE", "", "proxy-audit-read"],
    ["externalId", "PROXY_AUDIT_EXTERNAL_ID", "abc", { from: "environment", value: "abc" }],
    ["slackSettings", "PROXY_AUDIT_SLACK_SETTINGS", "{}", { from: "environment", value: "{}" }],
  ] as const)("takes %s from %s=%j", (name, variable, text, expected) => {
    expect(readConfig({ [variable]: text }, [name])).toEqual({ [name]: expected });
  });

  it.each([
    ["table", {}, "PROXY_AUDIT_TABLE is missing: the DynamoDB table of audits (name)"],
    ["table", { PROXY_AUDIT_TABEL: "x" }, "PROXY_AUDIT_TABEL is set: is that the one?"],
    ["accounts", { PROXY_AUDIT_ACCOUNTS: "all" }, 'PROXY_AUDIT_ACCOUNTS is "all": neither `organization`'],
    ["accounts", { PROXY_AUDIT_ACCOUNTS: "11111111111" }, "PROXY_AUDIT_ACCOUNTS"],
    ["accounts", { PROXY_AUDIT_ACCOUNTS: "," }, "PROXY_AUDIT_ACCOUNTS"],
    ["regions", { PROXY_AUDIT_REGIONS: "eu-west-1;eu-west-2" }, "not the name of a Region"],
    ["excludedAccounts", { PROXY_AUDIT_EXCLUDED_ACCOUNTS: "prod" }, "an account id is 12 digits"],
    ["accountsQueueUrl", { PROXY_AUDIT_ACCOUNTS_QUEUE_URL: "accounts" }, "not the address of a queue"],
    ["maxAuditAgeHours", { PROXY_AUDIT_MAX_AUDIT_AGE_HOURS: "1.5" }, "not a whole number"],
    ["maxAuditAgeHours", { PROXY_AUDIT_MAX_AUDIT_AGE_HOURS: "0" }, "PROXY_AUDIT_MAX_AUDIT_AGE_HOURS"],
    ["privateEndpoints", { PROXY_AUDIT_PRIVATE_ENDPOINTS: "yes" }, "PROXY_AUDIT_PRIVATE_ENDPOINTS"],
    ["extraEndpointHosts", { PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS: "https://a" }, "not host:port"],
    ["slackSettings", { PROXY_AUDIT_SLACK_SETTINGS: "ssm:" }, "no name after ssm:"],
  ] as const)("that is wrong in %s names the variable: %j", (name, env, message) => {
    expect(() => readConfig(env, [name])).toThrow(message);
  });

  it("names everything that is wrong at once", () => {
    expect(() => readConfig({ PROXY_AUDIT_REGIONS: "mars" }, ["table", "regions"])).toThrow(
      /PROXY_AUDIT_TABLE is missing.*; PROXY_AUDIT_REGIONS is "mars"/,
    );
  });

  it("never shows a secret", () => {
    const env = { PROXY_AUDIT_SLACK_SIGNING_SECRET: "ssm:", PROXY_AUDIT_EXTERNAL_ID: "secretsmanager:" };
    expect(() => readConfig(env, ["slackSigningSecret", "externalId"])).toThrow(
      "PROXY_AUDIT_SLACK_SIGNING_SECRET: no name after ssm:",
    );
  });

  it("is documented as it is: node scripts/config-docs.ts", () => {
    expect(readFileSync("docs/configuration.md", "utf8")).toBe(configurationDocs());
  });
});
