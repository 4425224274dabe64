import { describe, expect, it } from "vitest";
import { scanClusters } from "#src/commands/scan.ts";
import { clustersFromManifests } from "#src/inventory/manifests.ts";

const NOW = new Date("2026-11-30T12:00:00Z");

describe("a fault of ours in one cluster", () => {
  it("is named there and costs the others nothing", async () => {
    const [fine] = await clustersFromManifests(
      ["test/fixtures/cases/clusters/02-kubeadm-ipvs-sed-scheduler"],
      {
        stdin: async () => "",
        at: NOW.toISOString(),
      },
    );
    if (fine === undefined) throw new Error("no cluster");
    const broken = {
      ...fine,
      id: "manifests:broken",
      name: "broken",
      open: async () => {
        throw new TypeError("x is not a function");
      },
    };
    const { clusters } = await scanClusters([broken, fine], {
      now: () => NOW,
      targets: ["1.40"],
      concurrency: 2,
      timeoutMs: 1_000,
      logs: 0,
      store: null,
    });
    expect(clusters.map(({ name, reachable, dataPlane }) => [name, reachable, dataPlane.mode])).toEqual([
      ["broken", false, "unknown"],
      [fine.name, true, "ipvs"],
    ]);
    expect(clusters[0]?.unread).toEqual([
      {
        what: "everything",
        why: "invalid",
        detail: "the audit failed, which is a fault of proxy-audit: x is not a function",
      },
    ]);
    expect(clusters[0]?.verdicts["1.40"]?.verdict).toBe("incomplete");
  });
});
