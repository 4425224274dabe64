import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkById } from "#src/checks/index.ts";
import { scanClusters } from "#src/commands/scan.ts";
import { demoInventory } from "#src/demo/inventory.ts";
import { type DemoFleet, startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import { childCli } from "./child-cli.ts";
import { cli, NOW, scanned } from "./run-cli.ts";

let fleet: DemoFleet;
let result: ScanResult;
beforeAll(async () => {
  fleet = await startDemoFleet();
  result = await scanClusters(demoInventory(fleet), {
    now: () => NOW,
    targets: [],
    concurrency: 8,
    timeoutMs: 60_000,
    logs: 3,
    store: null,
  });
});
afterAll(() => fleet.close());

function named(name: string): ClusterAudit {
  const audit = result.clusters.find((cluster) => cluster.name === name);
  if (audit === undefined) throw new Error(`${name} was not audited`);
  return audit;
}

/** Unknown findings in checks that can block, as `check: title`. */
function decidingUnknowns(audit: ClusterAudit): string[] {
  return audit.findings
    .filter(
      ({ status, check, about }) => status === "unknown" && about === "upgrade" && checkById(check)?.canBlock,
    )
    .map(({ check, title }) => `${check}: ${title}`);
}

describe("scan --demo", () => {
  it("reports exactly the planted failures, audits all others and exits with 4", async () => {
    const { exitCode, stderr, stdout } = await cli(["scan", "--demo", "--store", "none", "--output", "json"]);
    const clusters: ClusterAudit[] = JSON.parse(stdout).clusters;
    expect(clusters.filter(({ reachable }) => !reachable).map(({ name }) => name)).toEqual(["unreachable"]);
    expect(
      clusters.filter(({ unread }) => unread.some(({ why }) => why === "forbidden")).map(({ name }) => name),
    ).toEqual(["locked-down"]);
    expect(clusters).toHaveLength(18);
    expect(stderr).toMatch(
      /^proxy-audit: unreachable was not reached: unreachable: 127\.0\.0\.1:\d+: connection refused\n$/,
    );
    expect(exitCode).toBe(4);
  });

  it("names each cluster once in the table, the unreachable one with its reason", async () => {
    const { stdout, stderr } = await childCli(["scan", "--demo", "--store", "none"]);
    for (const { name } of fleet.clusters) expect(stdout).toContain(name);
    expect(stderr.split("\n")).toHaveLength(2);
  });

  it("reads nothing in part in a cluster that answers", () => {
    const unread = result.clusters
      .filter(({ name }) => name !== "locked-down" && name !== "unreachable")
      .flatMap((cluster) => cluster.unread.map(({ what, why }) => `${cluster.name}: ${what} ${why}`));
    expect(unread).toEqual([]);
  });
});

describe("a healthy demo cluster under exactly the shipped role", () => {
  // EKS needs the add-on's schema from the EKS API; Auto Mode's kube-proxy is the provider's and not visible.
  const STATED: Record<string, string[]> = {
    "payments-prod-eu": ["proxy-mode: Whether EKS's kube-proxy 1.36 still takes ipvs was not read"],
    "payments-prod-us": ["proxy-mode: Whether EKS's kube-proxy 1.37 still takes ipvs was not read"],
  };

  it("has no unknown in a check that can block, but for what only the EKS API tells", () => {
    const healthy = result.clusters.filter(
      ({ name }) => !["locked-down", "unreachable", "auto-mode"].includes(name),
    );
    expect(healthy.length).toBe(15);
    for (const audit of healthy) {
      expect([audit.name, decidingUnknowns(audit)]).toEqual([audit.name, STATED[audit.name] ?? []]);
    }
  });

  it("on EKS Auto Mode knows that it cannot know the mode", () => {
    expect(named("auto-mode").dataPlane).toMatchObject({ mode: "unknown", managedBy: "provider" });
  });

  it("is sent nothing but GET, and refused nothing", () => {
    const odd = fleet.clusters.flatMap(({ name, server }) =>
      (server?.requests ?? [])
        .filter(({ method, status }) => method !== "GET" || status === 401 || status === 403)
        .map(({ method, path, status }) => `${name} ${method} ${path} ${status}`),
    );
    expect(odd.filter((line) => !/^locked-down GET .* 403$/.test(line))).toEqual([]);
  });
});

describe("scan --demo beside a broken store", () => {
  it("still answers in full", async () => {
    const whole = await scanned(["--demo"]);
    const { stdout } = await cli(["scan", "--demo", "--output", "json", "--store", "/proc/no/such/store"]);
    expect(JSON.parse(stdout).clusters.map(({ name }: ClusterAudit) => name)).toEqual(
      whole.clusters.map(({ name }) => name),
    );
  });
});
