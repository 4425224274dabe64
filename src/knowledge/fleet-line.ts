import { counted, listed } from "#src/checks/findings.ts";
import type { FleetNumbers, FleetQuestion } from "./fleet-numbers.ts";

/** What is said of the clusters a question is about: one cluster, several. */
const SAID_OF: Record<FleetQuestion, readonly [string, string]> = {
  ipvs: ["runs ipvs", "run ipvs"],
  unset: ["has no mode set", "have no mode set"],
  nftables: ["runs nftables", "run nftables"],
  replaced: ["has kube-proxy replaced", "have kube-proxy replaced"],
  undecided: [
    "has a mode that could not be told, or that differs between nodes",
    "have a mode that could not be told, or that differs between nodes",
  ],
  "eks-ipvs": ["runs ipvs on EKS", "run ipvs on EKS"],
  "other-ipvs": ["has another user of IPVS", "have another user of IPVS"],
  scheduler: ["has an ipvs scheduler other than rr", "have an ipvs scheduler other than rr"],
  "ipvs-gate": ["sets KubeProxyIPVS", "set KubeProxyIPVS"],
  "old-kernel": ["has nodes too old for nftables", "have nodes too old for nftables"],
  containerd1: ["has nodes on containerd 1.x", "have nodes on containerd 1.x"],
  "cgroup-v1": ["shows nodes on cgroup v1", "show nodes on cgroup v1"],
  nodeport: ["has NodePorts to look at", "have NodePorts to look at"],
  "nodeport-localhost": ["has localhost NodePorts to look at", "have localhost NodePorts to look at"],
  "strict-arp": ["has strictARP to look at", "have strictARP to look at"],
  "external-ips": ["has addresses that ipvs answered for", "have addresses that ipvs answered for"],
  "dns-cache": ["has a node-local DNS cache to look at", "have a node-local DNS cache to look at"],
  cni: ["has a network plugin to look at", "have a network plugin to look at"],
  "nft-build": ["has a build known to fail with nftables", "have a build known to fail with nftables"],
  conntrack: ["has conntrack settings to look at", "have conntrack settings to look at"],
  "service-scale": ["has many Services to look at", "have many Services to look at"],
  "chain-dependents": [
    "has workloads that name kube-proxy's chains",
    "have workloads that name kube-proxy's chains",
  ],
};

/**
 * `3 of your 14 clusters run ipvs: a, b and c. 1 could not be told: d.` Names at most five of each. Never says
 * "none" without the clusters of which it is not known.
 */
export function fleetLineOf(question: FleetQuestion, fleet: FleetNumbers): string {
  if (fleet.total === 0) return "No cluster of yours has been audited yet.";
  const of = `of your ${counted(fleet.total, "cluster")}`;
  const [one, several] = SAID_OF[question];
  const clusters = clustersOf(question, fleet);
  const untold = (fleet.untold[question] ?? []).filter((name) => !clusters.includes(name));
  const affected =
    clusters.length === 0
      ? `None ${of} ${untold.length === 0 ? one : `is known to ${several}`}.`
      : `${clusters.length} ${of} ${clusters.length === 1 ? one : several}: ${listed(clusters)}.`;
  const unknown = untold.length === 0 ? "" : ` ${untold.length} could not be told: ${listed(untold)}.`;
  const oldest =
    fleet.auditedAtOldest === null ? "" : ` The oldest audit is of ${fleet.auditedAtOldest.slice(0, 10)}.`;
  return affected + unknown + oldest;
}

function clustersOf(question: FleetQuestion, fleet: FleetNumbers): readonly string[] {
  switch (question) {
    case "ipvs":
    case "unset":
    case "nftables":
      return fleet.byMode[question];
    case "replaced":
      return fleet.byMode.none;
    case "undecided":
      return [...fleet.byMode.unknown, ...fleet.byMode.mixed];
    case "eks-ipvs":
      return fleet.eksIpvs;
    case "other-ipvs":
      return fleet.otherIpvsUsers;
    case "scheduler":
      return fleet.scheduler;
    case "ipvs-gate":
      return fleet.ipvsGate;
    case "old-kernel":
      return fleet.oldKernel;
    case "containerd1":
      return fleet.containerd1;
    default:
      return fleet.found[question] ?? [];
  }
}
