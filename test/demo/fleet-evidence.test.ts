import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoInventory } from "#src/demo/inventory.ts";
import { type DemoFleet, startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import { collectEvidence } from "#src/evidence/collect.ts";
import { readDataPlane } from "#src/evidence/data-plane/reading.ts";
import { unreachable } from "#src/evidence/unread.ts";

let fleet: DemoFleet;
beforeAll(async () => {
  fleet = await startDemoFleet();
});
afterAll(() => fleet.close());

async function evidenceOf(name: string) {
  const cluster = demoInventory(fleet).find((one) => one.name === name);
  const reader = await cluster?.open();
  if (cluster === undefined || reader === undefined || "seen" in reader)
    throw new Error(`no reader for ${name}`);
  const evidence = await collectEvidence(cluster, reader, { at: "2026-11-30T12:00:00Z", logs: 1 });
  await reader.close();
  return evidence;
}

describe("the demo fleet, read as any fleet is", () => {
  it.each([
    ["ack-shanghai", "ipvs", "ipvs"],
    ["auto-mode", "unknown", null],
    ["checkout-staging", "unset", "iptables"],
    ["data-nftables", "nftables", "nftables"],
    ["edge-k3s", "mixed", "ipvs"],
    ["forced-gate", "ipvs", "ipvs"],
    ["legacy-onprem", "ipvs", "ipvs"],
    ["locked-down", "unknown", null],
    ["logistics-onprem", "nftables", "ipvs"],
    ["ml-cilium", "none", null],
    ["orders-staging", "nftables", "nftables"],
    ["payments-prod-eu", "ipvs", "ipvs"],
    ["payments-prod-us", "ipvs", "ipvs"],
    ["preview-envs", "iptables", "iptables"],
    ["rehearsal", "nftables", "nftables"],
    ["search-unset-old", "unset", "iptables"],
    ["unreachable", "unknown", null],
    ["web-kubeadm", "iptables", "iptables"],
  ])("%s is configured for %s and seen running %s", async (name, mode, observedMode) => {
    const seen = readDataPlane(await evidenceOf(name));
    expect([seen.mode, seen.observedMode]).toEqual([mode, observedMode]);
  });

  it("is refused nothing under the shipped role, and sent nothing but GET", async () => {
    const refused = fleet.clusters.flatMap(({ name, server }) =>
      (server?.requests ?? [])
        .filter(({ status, method }) => [401, 403].includes(status) || method !== "GET")
        .map(({ path }) => `${name} ${path}`),
    );
    expect(refused.filter((line) => !line.startsWith("locked-down "))).toEqual([]);
  });

  it("cannot be reached where nobody answers, and could be where everything is forbidden", async () => {
    const reached = [await evidenceOf("unreachable"), await evidenceOf("locked-down")];
    expect(reached.map(unreachable)).toEqual([true, false]);
  });

  it("has the metrics of a cluster that comes with a Prometheus, from the cluster's own", async () => {
    const { metrics, cgroupVersions, services, endpointSlices } = await evidenceOf("preview-envs");
    expect([metrics, cgroupVersions]).toMatchObject([
      { seen: true, value: { length: 7 } },
      { seen: true, value: { length: 7 } },
    ]);
    expect([services, endpointSlices]).toMatchObject([
      { value: { count: 5_165 } },
      { value: { count: 5_164 } },
    ]);
    expect((await evidenceOf("data-nftables")).metrics).toMatchObject({ seen: false, why: "not-requested" });
  });

  it("sends a Prometheus nothing but the queries", async () => {
    await evidenceOf("web-kubeadm");
    const asked = fleet.clusters.flatMap(({ prometheus }) => prometheus?.requests ?? []);
    expect(asked.filter((request) => !request.startsWith("GET /api/v1/query?query="))).toEqual([]);
  });

  it("brings the answers of the EKS API along", async () => {
    const { eks } = await evidenceOf("payments-prod-eu");
    expect(eks.addon).toMatchObject({ seen: true, value: { addonVersion: "v1.35.3-eksbuild.13" } });
  });
});
