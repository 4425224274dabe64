import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditCluster } from "#src/audit/audit-cluster.ts";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { eksToken } from "#src/aws/eks-token.ts";
import type { ApiServer, ApiServerOptions } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { type ResolveOptions, resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { observedValue } from "#src/model/observed.ts";
import type { FakeCluster } from "../../fakes/aws/fleet.ts";
import { PAYMENTS, smallOrganization } from "../../fakes/aws/organization.ts";
import { accessTo, NOW, REQUEST } from "./with-aws.ts";

const CLUSTER_NAME = "shop";

/** The token that the member account's first session signs at the time of the test. */
function expectedToken(name = CLUSTER_NAME): string {
  const key = `ASIA${PAYMENTS}0000`;
  const credentials = { accessKeyId: key, secretAccessKey: "secret", sessionToken: `session-${key}` };
  return eksToken({ clusterName: name, region: "eu-west-1", credentials, now: NOW })?.token ?? "";
}

async function apiServer(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  const server = await startApiServer({
    objects: [{ apiVersion: "v1", kind: "Node", metadata: { name: "a" }, status: { nodeInfo: {} } }],
    version: { gitVersion: "v1.35.3-eks-113cf36" },
    users: { [expectedToken()]: { name: "auditor", rules: "all" } },
    anonymous: "none",
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

async function resolved(
  cluster: Partial<FakeCluster>,
  options: Partial<ResolveOptions> = {},
  lacks: readonly string[] = [],
): Promise<InventoryCluster> {
  const fleet = smallOrganization();
  const account = fleet.accounts.find(({ id }) => id === PAYMENTS);
  if (account) account.lacks = lacks;
  const region = account?.regions["eu-west-1"];
  if (region) region.clusters = [{ name: CLUSTER_NAME, version: "1.35", ...cluster }];
  const { access } = await accessTo(fleet, { externalId: "secret-id" });
  const ref = { account: PAYMENTS, region: "eu-west-1", name: CLUSTER_NAME };
  const found = await resolveCluster(access, ref, {
    ...REQUEST,
    published: createEksPublished(),
    accountTags: {},
    ...options,
  });
  if (found.cluster === null) throw new Error(found.entry.reason ?? "not resolved");
  return found.cluster;
}

describe("opening an EKS cluster", () => {
  it("reads its API with a token of the member account, trusting that cluster's authority only", async () => {
    const server = await apiServer();
    const host = `127.0.0.1:${server.port}`;
    const cluster = await resolved({ endpoint: server.url, ca: server.ca }, { extraHosts: [host] });
    const reader = await cluster.open();
    if ("seen" in reader) throw new Error(reader.detail);
    const version = await reader.version();
    await reader.close();
    expect(observedValue(version)?.gitVersion).toBe("v1.35.3-eks-113cf36");
    expect(server.writesRefused()).toBe(0);
  });

  it("does not trust an API server whose certificate another authority signed", async () => {
    const server = await apiServer();
    const other = readFileSync("test/fixtures/tls/ca.pem", "utf8");
    const host = `127.0.0.1:${server.port}`;
    const cluster = await resolved({ endpoint: server.url, ca: other }, { extraHosts: [host] });
    const reader = await cluster.open();
    if ("seen" in reader) throw new Error(reader.detail);
    expect(await reader.version()).toMatchObject({ seen: false, why: "unreachable" });
    await reader.close();
    expect(server.requests).toEqual([]);
  });

  it("sends no token to an address that is not EKS's", async () => {
    const server = await apiServer();
    const cluster = await resolved({ endpoint: server.url, ca: server.ca });
    expect(await cluster.open()).toMatchObject({
      seen: false,
      why: "invalid",
      detail: `the endpoint names port ${server.port}: EKS serves on 443: no token was sent to it`,
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["no authority", { ca: "" }, "invalid", "the cluster's certificate authority is not a certificate"],
    [
      "an authority that is no certificate",
      { ca: "made up" },
      "invalid",
      "the cluster's certificate authority",
    ],
    [
      "no endpoint yet",
      { endpoint: "" },
      "unreachable",
      "the cluster has no endpoint (its status is ACTIVE)",
    ],
    ["a private endpoint", { private: true }, "unreachable", "private endpoint: "],
  ] as const)("ends, for a cluster with %s, as not seen", async (_name, cluster, why, detail) => {
    const found = await resolved(cluster);
    const opened = await found.open();
    expect(opened).toMatchObject({ seen: false, why, detail: expect.stringContaining(detail) });
  });

  it("tries a private endpoint where that is allowed", async () => {
    const server = await apiServer();
    const options = { extraHosts: [`127.0.0.1:${server.port}`], privateEndpoints: true };
    const cluster = await resolved({ endpoint: server.url, ca: server.ca, private: true }, options);
    const reader = await cluster.open();
    expect("seen" in reader).toBe(false);
    if (!("seen" in reader)) await reader.close();
  });
});

describe("a cluster with a public endpoint", () => {
  it("is audited from its objects and from the EKS API together", async () => {
    const demo = readDemoFleet().find(({ name }) => name === "payments-prod-eu");
    if (demo === undefined) throw new Error("the demo has no such cluster");
    const server = await apiServer({
      objects: demo.objects,
      logs: demo.logs,
      version: { gitVersion: demo.gitVersion },
    });
    const cluster = await resolved(
      {
        endpoint: server.url,
        ca: server.ca,
        addon: { addonVersion: "v1.35.3-eksbuild.2", configurationValues: '{"mode":"ipvs"}' },
      },
      { extraHosts: [`127.0.0.1:${server.port}`] },
    );
    const audit = await auditCluster(cluster, { now: NOW, logs: 3 });
    const { eks, ...dumped } = cluster;
    const dump = await auditCluster({ ...dumped, answers: demo.answers }, { now: NOW, logs: 3 });
    expect(eks?.name).toBe(CLUSTER_NAME);
    expect(audit.reachable).toBe(true);
    expect(audit.dataPlane).toEqual(dump.dataPlane);
    expect(audit.nodes).toEqual(dump.nodes);
    expect(audit.unread).toEqual([]);
    // What AWS announces for 1.36 is settled by the newest build's schema, which lists ipvs.
    expect(audit.findings.find(({ check }) => check === "proxy-mode")?.detail).toContain(
      "v1.36.0-eksbuild.25",
    );
    expect(server.writesRefused()).toBe(0);
  });

  it("that does not know the auditor is all unknown, with the reason", async () => {
    const server = await apiServer({ users: {} });
    const cluster = await resolved(
      { endpoint: server.url, ca: server.ca },
      { extraHosts: [`127.0.0.1:${server.port}`] },
    );
    const audit = await auditCluster(cluster, { now: NOW, logs: 0 });
    expect(audit.reachable).toBe(false);
    expect(audit.unread[0]).toMatchObject({
      what: "everything of its Kubernetes API",
      why: "unauthenticated",
    });
  });
});

describe("a cluster with a private endpoint", () => {
  it("is audited in part, from what the EKS API says", async () => {
    const nodegroup = { nodegroupName: "old", amiType: "AL2_x86_64", version: "1.32" };
    const cluster = await resolved({
      private: true,
      addon: {
        addonVersion: "v1.35.3-eksbuild.2",
        configurationValues: "mode: ipvs\nipvs:\n  scheduler: lc\n",
      },
      nodegroups: [
        { ...nodegroup, releaseVersion: "1.32.9-20251120", desiredSize: 3 },
        { ...nodegroup, nodegroupName: "own", amiType: "CUSTOM", releaseVersion: "ami-1", desiredSize: 1 },
      ],
    });
    const audit = await auditCluster(cluster, { now: NOW, logs: 0 });
    expect({
      provider: audit.provider,
      version: audit.kubernetesVersion,
      mode: audit.dataPlane.mode,
      scheduler: audit.dataPlane.scheduler,
      reachable: audit.reachable,
      nodes: audit.nodes,
    }).toEqual({
      provider: "eks",
      version: "1.35",
      mode: "ipvs",
      scheduler: "lc",
      reachable: false,
      nodes: {
        count: 4,
        belowNftablesKernel: 3,
        unknownKernel: 1,
        containerd1: 3,
        pools: [
          { name: "old", count: 3, kernels: ["5.10 (by AL2_x86_64 1.32.9-20251120)"], nftables: "no" },
          { name: "own", count: 1, kernels: [""], nftables: "unknown" },
        ],
      },
    });
    expect(audit.unread).toEqual([
      {
        what: "everything of its Kubernetes API",
        why: "unreachable",
        detail: expect.stringMatching(/^private endpoint: /),
      },
      {
        what: "nodes",
        why: "unreachable",
        detail: expect.stringMatching(
          /^in part: nodes are inferred from the EKS node groups, because private endpoint: /,
        ),
      },
    ]);
    expect(audit.findings.filter(({ status }) => status === "pass").map(({ check }) => check)).not.toContain(
      "node-kernel",
    );
  });

  it("whose add-on may not be read either is unknown, never fine", async () => {
    const cluster = await resolved({ private: true }, {}, ["eks:DescribeAddon", "eks:ListNodegroups"]);
    const audit = await auditCluster(cluster, { now: NOW, logs: 0 });
    expect(audit.dataPlane.mode).toBe("unknown");
    expect(audit.findings.filter(({ status, about }) => status === "pass" && about === "upgrade")).toEqual(
      [],
    );
    expect(
      audit.unread.filter(({ what }) => what.startsWith("EKS")).map(({ what, why }) => [what, why]),
    ).toEqual([
      ["EKS addon", "forbidden"],
      ["EKS nodegroups", "forbidden"],
    ]);
  });
});
