import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoInventory } from "#src/demo/inventory.ts";
import { type DemoFleet, startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { clustersFromManifests } from "#src/inventory/manifests.ts";
import { absentIsAnswer, auditWith, falselyFine } from "./false-fine.ts";
import { FAULTS, type Fault, type Read } from "./faulty-reader.ts";
import { NOW } from "./run-cli.ts";

const ROOT = "test/fixtures/cases/clusters";

/** Every read of the cluster's audit failing in every way, one at a time: what then looks fine and is not. */
async function oneReadFails(cluster: InventoryCluster, faults: readonly Fault[]): Promise<string[]> {
  const reads = new Map<string, Read>();
  const whole = await auditWith(cluster, () => null, reads);
  const found: string[] = [];
  for (const read of reads.values()) {
    for (const fault of faults) {
      if (fault === "absent" && absentIsAnswer(read)) continue;
      const faulty = await auditWith(cluster, ({ key }) => (key === read.key ? fault : null));
      found.push(...falselyFine(whole, faulty).map((what) => `${read.key}: ${fault}: ${what}`));
    }
  }
  expect(reads.size).toBeGreaterThan(10);
  return found;
}

describe("no read that fails is taken for good news", () => {
  it.each(readdirSync(ROOT))("in %s", async (name) => {
    const [cluster] = await clustersFromManifests([join(ROOT, name)], {
      stdin: async () => "",
      at: NOW.toISOString(),
    });
    if (cluster === undefined) throw new Error(`no cluster in ${name}`);
    expect(await oneReadFails(cluster, FAULTS)).toEqual([]);
  });
});

describe("no read that fails is taken for good news over HTTPS", () => {
  let fleet: DemoFleet;
  beforeAll(async () => {
    fleet = await startDemoFleet();
  });
  afterAll(() => fleet.close());

  function clusterOf(name: string): InventoryCluster {
    const cluster = demoInventory(fleet).find((one) => one.name === name);
    if (cluster === undefined) throw new Error(`no ${name} in the demo`);
    return cluster;
  }

  it.each(["payments-prod-eu", "checkout-staging", "search-unset-old", "edge-k3s", "ml-cilium"])(
    "in %s, whose reads fail before they are sent",
    async (name) => {
      const found = await oneReadFails(clusterOf(name), ["forbidden", "absent", "half"]);
      expect(found).toEqual([]);
    },
    120_000,
  );

  it.concurrent.each(["ack-shanghai", "legacy-onprem", "forced-gate"])(
    "in %s, whose server answers wrongly",
    async (name) => {
      const cluster = clusterOf(name);
      const server = fleet.clusters.find((one) => one.name === name)?.server;
      if (server === undefined) throw new Error(`${name} has no server`);
      const before = server.requests.length;
      const whole = await auditWith(cluster);
      const paths = new Set(server.requests.slice(before).map(({ path }) => path.split("?")[0] ?? ""));
      const found: string[] = [];
      for (const path of paths) {
        for (const effect of [{ status: 403 }, { status: 404 }, { truncate: 40 }, { garbage: true }]) {
          server.setFaults([{ match: { path: new RegExp(`^${path}(\\?|$)`) }, effect }]);
          const faulty = await auditWith(cluster);
          found.push(
            ...falselyFine(whole, faulty).map((what) => `${path} ${JSON.stringify(effect)}: ${what}`),
          );
        }
      }
      server.setFaults([]);
      expect(paths.size).toBeGreaterThan(10);
      expect(found).toEqual([]);
    },
    120_000,
  );

  it("in a cluster whose server stops answering half-way", async () => {
    const name = "ack-shanghai";
    const server = fleet.clusters.find((one) => one.name === name)?.server;
    const whole = await auditWith(clusterOf(name));
    for (const after of [0, 3, 8]) {
      server?.setFaults([{ match: {}, after, effect: { hang: true } }]);
      const cluster = clusterOf(name);
      const faulty = await auditWith({ ...cluster, open: () => cluster.open({ deadlineMs: 400 }) });
      expect(falselyFine(whole, faulty)).toEqual([]);
    }
    server?.setFaults([]);
  });
});
