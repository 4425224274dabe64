import { describe, expect, it } from "vitest";
import { clustersFromAws } from "#src/inventory/aws/from-aws.ts";
import { CLOSED, HUB, PAYMENTS, SEARCH, smallOrganization } from "../../fakes/aws/organization.ts";
import { accessTo, NOW, REQUEST } from "./with-aws.ts";

describe("the clusters of an organization", () => {
  it("end, each with its account and Region, as ok, skipped or failed with a reason", async () => {
    const { access } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    // The hub is its own account: it needs no role and no external id.
    const { clusters, entries } = await clustersFromAws(access, REQUEST);

    expect(clusters.map(({ id, team, environment }) => ({ id, team, environment }))).toEqual([
      { id: `eks:${PAYMENTS}/eu-west-1/shop`, team: "shop", environment: "prod" },
      { id: `eks:${PAYMENTS}/eu-west-1/vault`, team: "payments", environment: null },
      { id: `eks:${PAYMENTS}/us-east-1/edge`, team: "payments", environment: null },
    ]);
    expect(entries.map(({ kind, id, status, why }) => `${kind} ${id} ${status} ${why}`)).toEqual([
      `account ${CLOSED} skipped not-requested`,
      `account ${HUB} ok null`,
      `region ${HUB}/eu-west-1 ok null`,
      `account ${PAYMENTS} ok null`,
      `region ${PAYMENTS}/ap-east-1 skipped unauthenticated`,
      `region ${PAYMENTS}/eu-west-1 ok null`,
      `region ${PAYMENTS}/sa-east-1 skipped forbidden`,
      `region ${PAYMENTS}/us-east-1 ok null`,
      `account ${SEARCH} failed forbidden`,
      `cluster eks:${PAYMENTS}/eu-west-1/shop ok null`,
      `cluster eks:${PAYMENTS}/eu-west-1/vault ok null`,
      `cluster eks:${PAYMENTS}/eu-west-1/gone skipped absent`,
      `cluster eks:${PAYMENTS}/us-east-1/edge ok null`,
    ]);
    expect(entries.filter(({ status }) => status !== "ok").every(({ reason }) => reason)).toBe(true);
    expect(entries.find(({ id }) => id === CLOSED)?.reason).toBe("the account's state is SUSPENDED");
    expect(entries.find(({ id }) => id === SEARCH)?.reason).toContain(
      `AssumeRole arn:aws:iam::${SEARCH}:role/proxy-audit-read: AccessDenied`,
    );
  });

  it("are found with a session of 15 minutes that may do nothing but read", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    await clustersFromAws(access, REQUEST);
    const [assumed] = aws.calls.filter(
      ({ operation, status }) => operation === "AssumeRole" && status === 200,
    );
    expect(assumed?.input).toMatchObject({
      RoleArn: `arn:aws:iam::${PAYMENTS}:role/proxy-audit-read`,
      RoleSessionName: "proxy-audit",
      DurationSeconds: "900",
      ExternalId: "secret-id",
    });
    const { Statement } = JSON.parse(assumed?.input.Policy ?? "") as { Statement: { Action: string[] }[] };
    const actions = Statement.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => !/^[a-z0-9]+:(List|Describe)[A-Za-z]+$/.test(action))).toEqual([]);
  });

  it("are looked for in the units that are named and all below them, each account once", async () => {
    const fleet = smallOrganization();
    const { access } = await accessTo(fleet, { externalId: "secret-id" });
    const units = { ...REQUEST, regions: ["us-east-1", "eu-north-1"] };
    const { clusters, entries } = await clustersFromAws(access, {
      ...units,
      accounts: { kind: "organization", units: ["ou-prod", "r-root"], exclude: [SEARCH], tags: false },
    });
    expect(clusters.map(({ id }) => id)).toEqual([`eks:${PAYMENTS}/us-east-1/edge`]);
    expect(entries.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      [SEARCH, "skipped", "excluded by configuration"],
      [CLOSED, "skipped", "the account's state is SUSPENDED"],
      [PAYMENTS, "ok", null],
      [`${PAYMENTS}/ap-east-1`, "skipped", "not among the configured Regions"],
      [`${PAYMENTS}/eu-north-1`, "skipped", "configured, but not enabled in this account"],
      [`${PAYMENTS}/eu-west-1`, "skipped", "not among the configured Regions"],
      [`${PAYMENTS}/sa-east-1`, "skipped", "not among the configured Regions"],
      [`${PAYMENTS}/us-east-1`, "ok", null],
      [HUB, "ok", null],
      [`${HUB}/eu-north-1`, "skipped", "configured, but not enabled in this account"],
      [`${HUB}/eu-west-1`, "skipped", "not among the configured Regions"],
      [`${HUB}/us-east-1`, "skipped", "configured, but not enabled in this account"],
      [`eks:${PAYMENTS}/us-east-1/edge`, "ok", null],
    ]);
  });

  it("may come from an AWS Config aggregator, in a few calls", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    const { clusters, entries } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
      aggregator: "everything",
    });
    expect(clusters.map(({ id }) => id)).toEqual([
      `eks:${PAYMENTS}/eu-west-1/shop`,
      `eks:${PAYMENTS}/eu-west-1/vault`,
      `eks:${PAYMENTS}/us-east-1/edge`,
    ]);
    expect(entries[0]).toMatchObject({ kind: "organization", id: "aggregator everything", status: "ok" });
    expect(aws.calls.filter(({ operation }) => operation === "ListClusters")).toEqual([]);
  });

  it("of the caller's own account need no role", async () => {
    const fleet = smallOrganization();
    const hub = fleet.accounts[0];
    if (hub) hub.regions = { "eu-west-1": { clusters: [{ name: "tools", version: "1.35" }] } };
    const { access, aws } = await accessTo(fleet);
    const { clusters } = await clustersFromAws(access, { ...REQUEST, accounts: { kind: "caller" } });
    expect(clusters.map(({ id }) => id)).toEqual([`eks:${HUB}/eu-west-1/tools`]);
    expect(aws.calls.filter(({ operation }) => operation === "AssumeRole")).toEqual([]);
  });

  it("are found by EC2's Regions where the Account service may not be asked", async () => {
    const fleet = smallOrganization();
    const payments = fleet.accounts.find(({ id }) => id === PAYMENTS);
    if (payments) payments.lacks = ["account:ListRegions"];
    const { access } = await accessTo(fleet, { externalId: "secret-id" });
    const { clusters } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
    });
    expect(clusters).toHaveLength(3);
  });

  it("are not taken for none where the role lacks the permission to list them", async () => {
    const fleet = smallOrganization();
    const payments = fleet.accounts.find(({ id }) => id === PAYMENTS);
    if (payments) payments.lacks = ["eks:ListClusters"];
    const { access } = await accessTo(fleet, { externalId: "secret-id" });
    const { clusters, entries } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
    });
    expect(clusters).toEqual([]);
    expect(entries[0]).toMatchObject({ kind: "account", id: PAYMENTS, status: "failed", why: "forbidden" });
    expect(entries.find(({ id }) => id === `${PAYMENTS}/eu-west-1`)).toMatchObject({ status: "failed" });
  });

  it.each([
    ["throttle", "throttled"],
    ["error", "unreachable"],
    ["hang", "timeout"],
    ["web-page", "invalid"],
  ] as const)("keep a Region that answers with %s as failed: %s", async (kind, why) => {
    const { access, aws } = await accessTo(smallOrganization(), {
      externalId: "secret-id",
      requestTimeoutMs: 300,
    });
    aws.setFaults([{ operation: "ListClusters", account: PAYMENTS, region: "eu-west-1", kind }]);
    const { clusters, entries } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
    });
    expect(clusters.map(({ id }) => id)).toEqual([`eks:${PAYMENTS}/us-east-1/edge`]);
    expect(entries.find(({ id }) => id === `${PAYMENTS}/eu-west-1`)).toMatchObject({ status: "failed", why });
  });

  it("ride out a throttle that passes", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id", maxAttempts: 5 });
    aws.setFaults([{ operation: "ListClusters", kind: "throttle", times: 2 }]);
    const { clusters } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
    });
    expect(clusters).toHaveLength(3);
  });

  it("are an incomplete list, and say so, where the organization's list breaks off", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    aws.setFaults([{ operation: "ListAccounts", kind: "deny" }]);
    const { entries } = await clustersFromAws(access, REQUEST);
    expect(entries).toEqual([
      {
        kind: "organization",
        id: "organization",
        status: "failed",
        why: "forbidden",
        reason: expect.stringContaining("organizations:ListAccounts"),
      },
    ]);
  });

  it("that cannot be described are still clusters, whose opening says why", async () => {
    const { access, aws } = await accessTo(smallOrganization(), { externalId: "secret-id" });
    aws.setFaults([{ operation: "DescribeCluster", cluster: "shop", kind: "deny" }]);
    const { clusters, entries } = await clustersFromAws(access, {
      ...REQUEST,
      accounts: { kind: "static", accounts: [PAYMENTS] },
    });
    const id = `eks:${PAYMENTS}/eu-west-1/shop`;
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ status: "failed", why: "forbidden" });
    expect(await clusters.find((cluster) => cluster.id === id)?.open()).toMatchObject({
      seen: false,
      why: "forbidden",
      source: { kind: "eks", at: NOW.toISOString() },
    });
  });
});
