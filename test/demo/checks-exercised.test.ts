import { beforeAll, describe, expect, it } from "vitest";
import { auditCluster } from "#src/audit/audit-cluster.ts";
import { CHECKS } from "#src/checks/index.ts";
import { demoInventory } from "#src/demo/inventory.ts";
import { startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";

const NOW = new Date("2026-11-30T09:00:00Z");

type Status = Finding["status"];

let audits: ClusterAudit[];
beforeAll(async () => {
  const fleet = await startDemoFleet();
  audits = await Promise.all(
    demoInventory(fleet).map((cluster) => auditCluster(cluster, { now: NOW, logs: 3 })),
  );
  await fleet.close();
});

/** Clusters with findings of a check and status, with a number where there are several: `payments-prod-eu x2`. */
function clustersWith(check: string, status: Status): string[] {
  return audits.flatMap(({ name, findings }) => {
    const count = findings.filter((one) => one.check === check && one.status === status).length;
    if (count === 0) return [];
    return [count === 1 ? name : `${name} x${count}`];
  });
}

function withFindings(check: string): Partial<Record<Status, string[]>> {
  const statuses = ["blocker", "warning", "info"] as const;
  return Object.fromEntries(
    statuses.flatMap((status) => {
      const clusters = clustersWith(check, status);
      return clusters.length === 0 ? [] : [[status, clusters]];
    }),
  );
}

/** What the demo shows of each check: the clusters that it says something about. An unknown is nothing said. */
const EXERCISED: Record<string, Partial<Record<Status, string[]>>> = {
  "proxy-mode": {
    warning: [
      "ack-shanghai",
      "edge-k3s",
      "forced-gate",
      "legacy-onprem",
      "payments-prod-eu",
      "payments-prod-us",
    ],
  },
  "proxy-mode-unset": { warning: ["checkout-staging", "search-unset-old"] },
  "proxy-mode-invalid": { blocker: ["logistics-onprem"] },
  "ipvs-gate": { warning: ["forced-gate"], info: ["rehearsal"] },
  "node-kernel": {
    warning: ["ack-shanghai", "legacy-onprem x2", "payments-prod-eu", "search-unset-old x2"],
    info: ["auto-mode", "ml-cilium"],
  },
  "container-runtime": {
    warning: ["legacy-onprem", "payments-prod-eu", "search-unset-old"],
    info: ["auto-mode"],
  },
  "proxy-mode-drift": { warning: ["edge-k3s", "logistics-onprem x3"] },
  "nodeport-addresses": {
    warning: [
      "ack-shanghai",
      "checkout-staging",
      "edge-k3s",
      "forced-gate",
      "legacy-onprem",
      "payments-prod-eu",
      "payments-prod-us",
      "preview-envs",
      "search-unset-old",
    ],
  },
  "nodeport-localhost": { warning: ["logistics-onprem", "preview-envs"] },
  "conntrack-workaround": {
    warning: ["ack-shanghai", "forced-gate", "legacy-onprem", "payments-prod-eu", "search-unset-old"],
  },
  "host-firewall": {
    info: [
      "ack-shanghai",
      "checkout-staging",
      "edge-k3s",
      "forced-gate",
      "legacy-onprem",
      "payments-prod-eu",
      "payments-prod-us",
      "preview-envs",
      "search-unset-old",
      "web-kubeadm",
    ],
  },
  "chain-dependents": { warning: ["legacy-onprem"] },
  "ipvs-settings-lost": { warning: ["ack-shanghai", "edge-k3s", "legacy-onprem", "payments-prod-us"] },
  "dead-ipvs-config": { info: ["data-nftables", "ml-cilium"] },
  "strict-arp": { info: ["legacy-onprem"] },
  "external-ips": { warning: ["ack-shanghai", "legacy-onprem x2"] },
  "dns-cache": { info: ["legacy-onprem"] },
  "cni-compatibility": {
    warning: [
      "checkout-staging",
      "forced-gate",
      "legacy-onprem",
      "logistics-onprem",
      "orders-staging x2",
      "payments-prod-eu",
      "payments-prod-us",
      "preview-envs",
      "web-kubeadm",
    ],
    info: ["payments-prod-eu", "search-unset-old"],
  },
  "nft-build": { warning: ["orders-staging x2", "preview-envs"] },
  "service-scale": { warning: ["preview-envs"] },
  "version-skew": { info: ["ml-cilium"] },
  "config-origin": {
    info: [
      "ack-shanghai",
      "auto-mode",
      "checkout-staging",
      "data-nftables",
      "edge-k3s",
      "forced-gate",
      "legacy-onprem",
      "locked-down",
      "logistics-onprem",
      "orders-staging",
      "payments-prod-eu",
      "payments-prod-us",
      "preview-envs",
      "rehearsal",
      "search-unset-old",
      "web-kubeadm",
    ],
  },
  "proxy-replacement": { info: ["legacy-onprem"] },
  "cgroup-v1": {
    warning: ["search-unset-old"],
    info: [
      "ack-shanghai",
      "auto-mode",
      "checkout-staging",
      "data-nftables",
      "edge-k3s",
      "forced-gate",
      "legacy-onprem",
      "logistics-onprem",
      "ml-cilium",
      "payments-prod-eu",
      "payments-prod-us",
      "rehearsal",
    ],
  },
  "support-window": {
    warning: ["checkout-staging", "edge-k3s", "legacy-onprem", "search-unset-old"],
    info: ["ack-shanghai", "auto-mode", "forced-gate", "locked-down", "payments-prod-eu", "payments-prod-us"],
  },
  "sync-health": { warning: ["orders-staging"] },
};

describe("the demo fleet", () => {
  it("exercises every check", () => {
    const found = Object.fromEntries(CHECKS.map(({ id }) => [id, withFindings(id)]));
    expect(found).toEqual(EXERCISED);
    expect(Object.keys(found).filter((id) => Object.keys(found[id] ?? {}).length === 0)).toEqual([]);
  });

  it.each(CHECKS.map(({ id }) => id))("has a cluster that %s finds nothing in", (id) => {
    const fine = audits.filter(({ findings }) =>
      findings.filter(({ check }) => check === id).every(({ status }) => status === "pass"),
    );
    expect(fine.map(({ name }) => name)).not.toEqual([]);
  });

  it("has one cluster with nothing at all to do before an upgrade", () => {
    const findings = audits.find(({ name }) => name === "web-kubeadm")?.findings ?? [];
    const toDo = findings.filter(({ about, status }) => about === "upgrade" && status !== "pass");
    expect(toDo.map(({ check, title }) => `${check}: ${title}`)).toEqual([]);
  });
});
