import { type ClusterAudit, PROXY_MODES, type ProxyMode } from "#src/model/cluster-audit.ts";

/** What a question may ask of a fleet: the modes, and what the data planes and checks tell beside them. */
export const FLEET_QUESTIONS = [
  "ipvs",
  "unset",
  "nftables",
  "replaced",
  "undecided",
  "eks-ipvs",
  "other-ipvs",
  "scheduler",
  "ipvs-gate",
  "old-kernel",
  "containerd1",
  "cgroup-v1",
  "nodeport",
  "nodeport-localhost",
  "strict-arp",
  "external-ips",
  "dns-cache",
  "cni",
  "nft-build",
  "conntrack",
  "service-scale",
  "chain-dependents",
] as const;
export type FleetQuestion = (typeof FLEET_QUESTIONS)[number];

/** The clusters that an answer may name, by cluster name. */
export interface FleetNumbers {
  total: number;
  byMode: Record<ProxyMode, string[]>;
  /** Clusters with Linux nodes whose kernel nftables mode refuses. */
  oldKernel: string[];
  containerd1: string[];
  otherIpvsUsers: string[];
  /** Clusters of EKS in ipvs mode. */
  eksIpvs: string[];
  /** Clusters in ipvs mode with a scheduler other than rr. */
  scheduler: string[];
  /** Clusters whose configuration names the gate KubeProxyIPVS. */
  ipvsGate: string[];
  /** By question: clusters in which the check behind it found something. */
  found: Partial<Record<FleetQuestion, string[]>>;
  /** By question: clusters of which it could not be told. No line may pass over them. */
  untold: Partial<Record<FleetQuestion, string[]>>;
  /** When the oldest of the audits was made; null without any. */
  auditedAtOldest: string | null;
}

/** The check whose findings answer a question. */
const CHECK_OF: Partial<Record<FleetQuestion, string>> = {
  "cgroup-v1": "cgroup-v1",
  nodeport: "nodeport-addresses",
  "nodeport-localhost": "nodeport-localhost",
  "strict-arp": "strict-arp",
  "external-ips": "external-ips",
  "dns-cache": "dns-cache",
  cni: "cni-compatibility",
  "nft-build": "nft-build",
  conntrack: "conntrack-workaround",
  "service-scale": "service-scale",
  "chain-dependents": "chain-dependents",
};

/** What the latest audit of each cluster says, gathered for answers. */
export function fleetNumbersOf(audits: readonly ClusterAudit[]): FleetNumbers {
  const named = (matches: (audit: ClusterAudit) => boolean) => audits.filter(matches).map(({ name }) => name);
  const byMode = Object.fromEntries(
    PROXY_MODES.map((mode) => [mode, named(({ dataPlane }) => dataPlane.mode === mode)]),
  ) as Record<ProxyMode, string[]>;
  const modeUntold = named(modeIsUntold);
  const checks = Object.entries(CHECK_OF);
  return {
    total: audits.length,
    byMode,
    oldKernel: named(({ nodes }) => nodes.belowNftablesKernel > 0),
    containerd1: named(({ nodes }) => nodes.containerd1 > 0),
    otherIpvsUsers: named(({ dataPlane }) => dataPlane.otherIpvsUsers.length > 0),
    eksIpvs: named(({ provider, dataPlane }) => provider === "eks" && dataPlane.mode === "ipvs"),
    scheduler: named(
      ({ dataPlane: { mode, scheduler } }) => mode === "ipvs" && scheduler !== null && scheduler !== "rr",
    ),
    ipvsGate: named(({ dataPlane }) => "KubeProxyIPVS" in dataPlane.featureGates),
    found: Object.fromEntries(
      checks.map(([question, check]) => [question, named((audit) => judged(audit, check) === "found")]),
    ),
    untold: {
      ipvs: modeUntold,
      unset: modeUntold,
      nftables: modeUntold,
      replaced: modeUntold,
      scheduler: modeUntold,
      "ipvs-gate": modeUntold,
      "eks-ipvs": named(
        (audit) => modeIsUntold(audit) && (audit.provider === "eks" || audit.provider === "unknown"),
      ),
      "other-ipvs": named((audit) => !audit.reachable),
      "old-kernel": named(
        (audit) =>
          audit.nodes.belowNftablesKernel === 0 && (nodesUnread(audit) || audit.nodes.unknownKernel > 0),
      ),
      containerd1: named(
        (audit) =>
          audit.nodes.containerd1 === 0 &&
          (nodesUnread(audit) || judged(audit, "container-runtime") === "untold"),
      ),
      ...Object.fromEntries(
        checks.map(([question, check]) => [question, named((audit) => judged(audit, check) === "untold")]),
      ),
    },
    auditedAtOldest: audits.map(({ auditedAt }) => auditedAt).toSorted()[0] ?? null,
  };
}

function modeIsUntold({ dataPlane: { mode } }: ClusterAudit): boolean {
  return mode === "unknown" || mode === "mixed";
}

function nodesUnread({ nodes, unread }: ClusterAudit): boolean {
  return nodes.count === 0 || unread.some(({ what }) => /\bnodes?\b/i.test(what));
}

/** Without a single finding of the check nothing is known: an audit may be older than the check. */
function judged({ findings }: ClusterAudit, check: string): "found" | "untold" | "nothing" {
  const statuses = findings.filter((finding) => finding.check === check).map(({ status }) => status);
  if (statuses.some((status) => status === "warning" || status === "blocker" || status === "info"))
    return "found";
  return statuses.length === 0 || statuses.includes("unknown") ? "untold" : "nothing";
}
