import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gateExitCode } from "#src/commands/gate.ts";
import type { FakeFleet } from "../fakes/aws/fleet.ts";
import { PAYMENTS, SEARCH, smallOrganization } from "../fakes/aws/organization.ts";
import { type AwsServer, hubCredentials, startAwsServer } from "../fakes/aws-server.ts";
import { cli, NOW, scanned } from "./run-cli.ts";

/** The environment of somebody who is logged in to a fake AWS. */
async function loggedIn(fleet: FakeFleet, region?: string): Promise<AwsServer> {
  const aws = await startAwsServer(fleet, { now: () => NOW });
  const folder = await mkdtemp(join(tmpdir(), "aws-"));
  const { accessKeyId, secretAccessKey } = hubCredentials(fleet);
  const profile = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  await writeFile(join(folder, "credentials"), `[fleet]\n${profile}`);
  if (region !== undefined) await writeFile(join(folder, "config"), `[profile fleet]\nregion = ${region}\n`);
  vi.stubEnv("AWS_ENDPOINT_URL", aws.url);
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"));
  vi.stubEnv("AWS_CONFIG_FILE", join(folder, "config"));
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws.close();
    await rm(folder, { recursive: true });
  });
  return aws;
}

const ROLE = ["--organization-role", "proxy-audit-read", "--external-id", "secret-id"];
const AWS = ["--aws", "--profile", "fleet"];

/** The private cluster only: it needs no API server. */
function privateOnly(): FakeFleet {
  const fleet = smallOrganization();
  fleet.accounts = fleet.accounts.filter(({ id }) => id !== SEARCH);
  for (const account of fleet.accounts) {
    for (const region of Object.values(account.regions)) {
      region.clusters = region.clusters.filter((cluster) => cluster.private);
      for (const cluster of region.clusters) {
        cluster.addon = { addonVersion: "v1.34.6-eksbuild.2", configurationValues: '{"mode":"ipvs"}' };
      }
    }
  }
  return fleet;
}

describe("scan --aws", () => {
  it("audits every cluster of the organization that it can enter, and says what it could not", async () => {
    await loggedIn(privateOnly());
    const result = await scanned([...AWS, ...ROLE]);
    expect(
      result.clusters.map(({ id, team, reachable, dataPlane }) => [id, team, reachable, dataPlane.mode]),
    ).toEqual([[`eks:${PAYMENTS}/eu-west-1/vault`, "payments", false, "ipvs"]]);
    expect(result.inventory?.map(({ kind, id, status }) => `${kind} ${id} ${status}`)).toEqual([
      "account 333333333333 skipped",
      "account 000000000001 ok",
      "region 000000000001/eu-west-1 ok",
      `account ${PAYMENTS} ok`,
      `region ${PAYMENTS}/ap-east-1 skipped`,
      `region ${PAYMENTS}/eu-west-1 ok`,
      `region ${PAYMENTS}/sa-east-1 skipped`,
      `region ${PAYMENTS}/us-east-1 ok`,
      `cluster eks:${PAYMENTS}/eu-west-1/vault ok`,
    ]);
  });

  it("ends with 4 where an account cannot be entered, and names it", async () => {
    const fleet = privateOnly();
    const vault = fleet.accounts.flatMap(({ regions }) => regions["eu-west-1"]?.clusters ?? [])[0];
    fleet.accounts.push({ id: SEARCH, trustsHub: false, regions: {} });
    expect(vault?.name).toBe("vault");
    await loggedIn(fleet);
    const { exitCode, stderr } = await cli(["scan", "--store", "none", ...AWS, ...ROLE]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      `proxy-audit: account ${SEARCH} failed: AssumeRole arn:aws:iam::${SEARCH}:role/`,
    );
  });

  it("reads the accounts of the roles that are given", async () => {
    const aws = await loggedIn(privateOnly());
    const arn = `arn:aws:iam::${PAYMENTS}:role/team/other-name`;
    const result = await scanned([
      ...AWS,
      "--role-arn",
      arn,
      "--external-id",
      "secret-id",
      "--region",
      "eu-west-1",
    ]);
    expect(result.clusters.map(({ id }) => id)).toEqual([`eks:${PAYMENTS}/eu-west-1/vault`]);
    const assumed = aws.calls.filter(({ operation }) => operation === "AssumeRole");
    expect(assumed.map(({ input }) => input.RoleArn)).toEqual([arn]);
  });

  it("asks STS in the Region of the profile: another partition knows no such credentials", async () => {
    const aws = await loggedIn(privateOnly(), "cn-north-1");
    await cli(["scan", "--store", "none", ...AWS]);
    expect(aws.calls.map(({ operation, region }) => `${operation} ${region}`)[0]).toBe(
      "GetCallerIdentity cn-north-1",
    );
  });

  it.each([
    [["--profile", "fleet"], "--profile needs --aws."],
    [[...AWS, "--ou", "ou-1"], "--ou needs --organization-role."],
    [[...AWS, "--role-arn", "proxy-audit-read"], "--role-arn proxy-audit-read is not the ARN of a role."],
    [[...AWS, ...ROLE, "--role-arn", "arn:aws:iam::111111111111:role/a"], "do not go together"],
    [[...AWS, "--demo"], "--demo and --aws do not go together"],
    [[...AWS, "--owners", "/nowhere/owners.yaml"], "cannot read /nowhere/owners.yaml"],
    [[...AWS], "no EKS clusters in account 000000000001: is this the right profile?"],
    [["--aws", "--profile", "nobody"], "your AWS credentials cannot be used: GetCallerIdentity in us-east-1"],
  ])("refuses %j in one line", async (argv, message) => {
    await loggedIn(privateOnly());
    const { exitCode, stdout, stderr } = await cli(["scan", "--store", "none", ...argv]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("a gate over clusters of which some may not have been found", () => {
  it.each([
    ["clear", false, 3],
    ["clear-with-warnings", false, 3],
    ["incomplete", false, 3],
    ["blocked", false, 2],
    ["clear", true, 0],
    ["clear-with-warnings", true, 0],
  ] as const)("ends for %s, all found: %s, with %i", (worst, allFound, expected) => {
    expect(gateExitCode(worst, { allFound })).toBe(expected);
  });
});

describe("doctor --aws", () => {
  it("names the IAM permission that is missing, and the statement to add", async () => {
    const fleet = privateOnly();
    const payments = fleet.accounts.find(({ id }) => id === PAYMENTS);
    if (payments) payments.lacks = ["eks:DescribeNodegroup", "eks:ListNodegroups"];
    fleet.accounts.push({ id: SEARCH, trustsHub: false, regions: {} });
    await loggedIn(fleet);
    const { exitCode, stdout, stderr } = await cli(["doctor", ...AWS, ...ROLE]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain("vault (EKS API): 5 of 6 permissions granted.");
    expect(stdout).toContain('{"Effect":"Allow","Action":["eks:ListNodegroups"],"Resource":"*"}');
    expect(stderr).toContain(
      `# trust policy of arn:aws:iam::${SEARCH}:role/proxy-audit-read (with the external id that it asks for, given by --external-id)\n` +
        `{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000001:user/hub"},"Action":"sts:AssumeRole"}\n`,
    );
    expect(stderr).toContain("proxy-audit: vault: unreachable: private endpoint");
  });
});
