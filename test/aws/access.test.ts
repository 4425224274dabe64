import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type AwsAccess, openAwsAccess } from "#src/aws/access.ts";
import { roleArnOf, sessionNameOf } from "#src/aws/assume-role.ts";
import { HUB, PAYMENTS, SEARCH, smallOrganization } from "../fakes/aws/organization.ts";
import { type AwsServer, hubCredentials, startAwsServer } from "../fakes/aws-server.ts";

async function opened(
  clock: { now: Date },
  role: { externalId: string | null } | null = { externalId: "secret-id" },
): Promise<{ access: AwsAccess; aws: AwsServer }> {
  const fleet = smallOrganization();
  const aws = await startAwsServer(fleet, { now: () => clock.now });
  vi.stubEnv("AWS_ENDPOINT_URL", aws.url);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws.close();
  });
  const access = await openAwsAccess({
    credentials: async () => hubCredentials(fleet),
    region: "eu-west-1",
    roleIn: () =>
      role === null ? null : { name: "audit/proxy-audit-read", sessionName: "proxy-audit", ...role },
    clients: { maxAttempts: 1 },
    now: () => clock.now,
  });
  if (!access.ok) throw new Error(access.detail);
  return { access: access.value, aws };
}

function assumed(aws: AwsServer): number {
  return aws.calls.filter(({ operation }) => operation === "AssumeRole").length;
}

describe("access to accounts", () => {
  it("knows the caller, whose own account needs no role", async () => {
    const { access, aws } = await opened({ now: new Date() });
    expect(access.caller).toEqual({
      account: HUB,
      partition: "aws",
      principal: `arn:aws:iam::${HUB}:user/hub`,
    });
    const own = await access.account(HUB);
    expect(own.ok && own.value === access.hub).toBe(true);
    expect(assumed(aws)).toBe(0);
  });

  it("assumes a role once for many callers, and again shortly before it runs out", async () => {
    const clock = { now: new Date("2026-11-30T10:00:00Z") };
    const { access, aws } = await opened(clock);
    const [first, second] = await Promise.all([access.account(PAYMENTS), access.account(PAYMENTS)]);
    if (!first.ok || !second.ok) throw new Error("not assumed");
    const keys = async () => (await first.value.credentials()).accessKeyId;
    const before = await keys();
    expect(assumed(aws)).toBe(1);
    clock.now = new Date("2026-11-30T10:12:59Z");
    expect(await keys()).toBe(before);
    clock.now = new Date("2026-11-30T10:13:01Z");
    const after = await Promise.all([keys(), keys(), keys()]);
    expect(new Set(after).size).toBe(1);
    expect(after[0]).not.toBe(before);
    expect(assumed(aws)).toBe(2);
  });

  it("keeps what is still good when it cannot be renewed, and tries again", async () => {
    const clock = { now: new Date("2026-11-30T10:00:00Z") };
    const { access, aws } = await opened(clock);
    const member = await access.account(PAYMENTS);
    if (!member.ok) throw new Error(member.detail);
    aws.setFaults([{ operation: "AssumeRole", kind: "deny", times: 2 }]);
    clock.now = new Date("2026-11-30T10:14:00Z");
    expect((await member.value.credentials()).accessKeyId).toBe(`ASIA${PAYMENTS}0000`);
    clock.now = new Date("2026-11-30T10:15:00Z");
    await expect(member.value.credentials()).rejects.toMatchObject({ name: "CredentialsProviderError" });
    expect((await member.value.credentials()).accessKeyId).toBe(`ASIA${PAYMENTS}0001`);
  });

  it("says which role it may not assume, and tries again when asked again", async () => {
    const { access, aws } = await opened({ now: new Date() });
    for (const _ of [1, 2]) {
      expect(await access.account(SEARCH)).toMatchObject({
        ok: false,
        why: "forbidden",
        detail: expect.stringContaining(`AssumeRole arn:aws:iam::${SEARCH}:role/audit/proxy-audit-read`),
      });
    }
    expect(assumed(aws)).toBe(2);
  });

  it.each([
    ["a wrong external id", { externalId: "wrong" }, "forbidden"],
    ["no external id", { externalId: null }, "forbidden"],
    ["no role at all", null, "not-requested"],
  ] as const)("ends at another account with %s", async (_name, role, why) => {
    const { access } = await opened({ now: new Date() }, role);
    expect(await access.account(PAYMENTS)).toMatchObject({ ok: false, why });
  });

  it("fails to open, with the reason, where the caller's credentials are no good", async () => {
    const aws = await startAwsServer(smallOrganization());
    vi.stubEnv("AWS_ENDPOINT_URL", aws.url);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await aws.close();
    });
    const failing = await openAwsAccess({
      credentials: async () => {
        throw Object.assign(new Error("Token is expired"), { name: "CredentialsProviderError" });
      },
      region: "eu-west-1",
      roleIn: () => null,
      now: () => new Date(),
    });
    expect(failing).toEqual({
      ok: false,
      why: "unauthenticated",
      detail: "GetCallerIdentity in eu-west-1: CredentialsProviderError: Token is expired",
    });
  });
});

describe("a member role", () => {
  it.each([
    ["proxy-audit-read", "aws", "arn:aws:iam::111111111111:role/proxy-audit-read"],
    ["/audit/proxy-audit-read", "aws-cn", "arn:aws-cn:iam::111111111111:role/audit/proxy-audit-read"],
    ["proxy-audit-read", "aws-us-gov", "arn:aws-us-gov:iam::111111111111:role/proxy-audit-read"],
  ])("%s in %s is %s", (name, partition, expected) => {
    expect(roleArnOf(name, { id: PAYMENTS, partition })).toBe(expected);
  });

  it.each([
    ["proxy-audit", "proxy-audit"],
    ["run 2026/11/30", "run-2026-11-30"],
    ["ä", "--"],
    ["", "--"],
    ["x".repeat(80), "x".repeat(64)],
  ])("is assumed under a session name that STS takes: %j", (text, expected) => {
    expect(sessionNameOf(text)).toBe(expected);
  });
});
