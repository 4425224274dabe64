import type { ClusterAudit, DataPlane } from "#src/model/cluster-audit.ts";
import { counted, listed, plain } from "./text.ts";
import { ageOf, minuteOf } from "./when.ts";

/** `ipvs`, `not set (iptables runs)`, `replaced by cilium`, `ipvs configured, iptables running`. */
export function modeText(dataPlane: DataPlane): string {
  const { mode, effectiveMode, observedMode, replacedBy, managedBy } = dataPlane;
  if (mode === "none") return replacedBy === null ? "none" : `replaced by ${plain(replacedBy)}`;
  const by = mode === "unknown" && managedBy !== null ? " (run by the provider)" : "";
  const runs = observedMode ?? effectiveMode;
  if (mode === "unset") return runs === null || runs === "unset" ? "not set" : `not set (${runs} runs)`;
  if (observedMode !== null && observedMode !== mode && mode !== "unknown" && mode !== "mixed") {
    return `${mode} configured, ${observedMode} running`;
  }
  if (mode === "unknown" && observedMode !== null) return `unknown (${observedMode} runs)`;
  return `${mode}${by}`;
}

/** What a cluster is, what it runs, and when that was read: a line each. */
export function factsOf(cluster: ClusterAudit, now: string): string[] {
  const { dataPlane, nodes } = cluster;
  const optional = [
    ["account", cluster.account],
    ["region", cluster.region],
    ["team", cluster.team],
    ["environment", cluster.environment],
  ] as const;
  const place = optional.flatMap(([name, value]) => (value === null ? [] : [`${name} ${plain(value)}`]));
  const settings = [
    ...(dataPlane.scheduler === null ? [] : [`scheduler ${plain(dataPlane.scheduler)}`]),
    ...(dataPlane.willStart === false ? ["kube-proxy will not start with this configuration"] : []),
    ...(dataPlane.otherIpvsUsers.length === 0
      ? []
      : [`IPVS is also used by ${listed(dataPlane.otherIpvsUsers.map(plain))}`]),
  ];
  const kubeProxies = cluster.kubeProxyVersions.map(plain);
  const counts = [
    ...(nodes.belowNftablesKernel > 0 ? [`${nodes.belowNftablesKernel} with a kernel below 5.13`] : []),
    ...(nodes.unknownKernel > 0 ? [`${nodes.unknownKernel} with an unknown kernel`] : []),
    ...(nodes.containerd1 > 0 ? [`${nodes.containerd1} with containerd 1.x`] : []),
  ];
  return [
    [
      `Kubernetes ${plain(cluster.kubernetesVersion ?? "version unknown")}, ${plain(cluster.provider)}`,
      ...place,
    ].join(", "),
    [
      `kube-proxy ${kubeProxies.length === 0 ? "version unknown" : listed(kubeProxies)}, mode: ${modeText(dataPlane)}`,
      ...settings,
    ].join("; "),
    nodes.count === 0 ? "no nodes were read" : [counted(nodes.count, "node"), ...counts].join(", "),
    `audited ${minuteOf(cluster.auditedAt)}, ${ageOf(cluster.auditedAt, now)}`,
  ];
}
