import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { compareKernels, type LinuxKernel, parseLinuxKernel } from "#src/kubernetes/kernel.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, missing, unknownFinding } from "../findings.ts";
import { iptablesCounter } from "../iptables-counter.ts";
import {
  answerWithoutModes,
  modeEvidence,
  modesText,
  passByMode,
  type RunningModes,
  runs,
  standingOf,
} from "../modes.ts";
import { upgradeFromDefault } from "../nftables-use.ts";
import { nodeEvidence, poolsText } from "../nodes.ts";

const COUNTER = "kubeproxy_iptables_ct_state_invalid_dropped_packets_total";

/** kubernetes.io, Migrating from iptables mode to nftables: kernels before 6.1 may need tcpBeLiberal. */
const NEEDS_NO_WORKAROUND: LinuxKernel = { major: 6, minor: 1 };

/** iptables mode drops packets that conntrack finds invalid; nftables mode does not. */
export const conntrackWorkaround: Check = {
  id: "conntrack-workaround",
  title: "connections that conntrack finds invalid",
  about: "migration",
  canBlock: null,
  evidence: [
    "node kernels",
    "conntrack.tcpBeLiberal in kube-proxy's configuration",
    "kube-proxy's counter of dropped packets (iptables mode only)",
  ],
  permissions: [
    "list nodes",
    "get configmaps in kube-system",
    "list daemonsets",
    "kube-proxy's metrics in Prometheus (optional)",
  ],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(conntrackWorkaround, input, standing, ["conntrack-workaround"])];
    const { name } = input.evidence.cluster;
    if (standing.inUse.every(({ settings }) => settings?.tcpBeLiberal === true)) {
      return [
        passByMode(conntrackWorkaround, input, standing, {
          title: "conntrack.tcpBeLiberal is set: the work-around is not needed",
          detail: `${name}: conntrack takes packets outside the window for valid, so nothing has to be dropped in any mode.`,
          evidence: standing.inUse.slice(0, 5).map(({ ref, evidence }) => ({
            ...evidence,
            path: `${ref} conntrack.tcpBeLiberal`,
            excerpt: "true",
          })),
          facts: ["conntrack-workaround"],
          what: "liberal",
        }),
      ];
    }
    return [judgeKernels(input, standing)];
  },
};

function judgeKernels(input: CheckInput, standing: RunningModes): Finding {
  const { evidence } = input;
  const { name } = evidence.cluster;
  const nodes = kubeProxyNodesOf(evidence);
  const old = nodes.filter((node) => isBelow(node) === true);
  const unknown = nodes.filter((node) => isBelow(node) === null);
  if (old.length > 0) return oldKernels(input, standing, old);
  if (evidence.nodes.seen !== true || unknown.length > 0) {
    return unknownFinding(conntrackWorkaround, input, {
      title: "Whether nodes have kernels before 6.1 is unknown",
      detail: `${name}: nftables mode does not drop packets that conntrack finds invalid; on kernels before 6.1 that can reset connections.`,
      unread:
        evidence.nodes.seen === true
          ? missing(`${counted(unknown.length, "node")} report no kernel version`, evidence.nodes.source)
          : evidence.nodes,
      facts: ["conntrack-workaround"],
      what: "kernels-unknown",
    });
  }
  return finding(conntrackWorkaround, input, {
    status: "pass",
    title: "Every node has kernel 6.1 or newer, which needs no work-around",
    detail: `${name}: ${counted(nodes.length, "node")} that run kube-proxy were read, none with a kernel before 6.1.`,
    evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
    facts: ["conntrack-workaround"],
    what: "new-kernels",
  });
}

/** null: the kernel is not known. */
function isBelow(node: NodeFacts): boolean | null {
  const kernel = parseLinuxKernel(node.kernelVersion, node.os ?? "linux");
  return kernel === null ? null : compareKernels(kernel, NEEDS_NO_WORKAROUND) < 0;
}

function oldKernels(input: CheckInput, standing: RunningModes, old: NodeFacts[]): Finding {
  const { evidence } = input;
  const { name } = evidence.cluster;
  const already = standing.inUse.every(({ mode }) => mode === "nftables");
  const counter = iptablesCounter(evidence, COUNTER, (metrics) => metrics.ctStateInvalidDroppedPackets);
  const zero = runs(standing, "iptables") && counter.incomplete === null && counter.total === 0;
  const use =
    counter.total > 0
      ? `kube-proxy has dropped ${counted(counter.total, "packet")} this way: the cluster depends on it.`
      : zero
        ? "No kube-proxy has dropped a packet this way since it started."
        : runs(standing, "iptables")
          ? "How often it happens was not measured: kube-proxy's metrics were not read from every node."
          : "How often it would happen cannot be measured in this mode: only iptables mode drops and counts such packets.";
  return finding(conntrackWorkaround, input, {
    status: already || zero ? "info" : "warning",
    ...(already ? { about: "hygiene" as const } : {}),
    title: already
      ? `nftables mode runs without the conntrack work-around on ${counted(old.length, "node")} below kernel 6.1`
      : counter.total > 0
        ? "Invalid packets are being dropped, and nftables mode stops dropping them"
        : zero
          ? `No invalid packet was dropped so far; nftables mode would drop none (${counted(old.length, "node")} below kernel 6.1)`
          : `nftables mode does not drop invalid packets, and ${counted(old.length, "node is", "nodes are")} below kernel 6.1`,
    detail:
      `${name} runs ${modesText(standing.inUse)} mode, with kernels before 6.1 on ${listed(poolsText(old, (node) => node.kernelVersion))} ` +
      "and conntrack.tcpBeLiberal not set. Under nftables a packet outside the TCP window can reach a pod untranslated, and the " +
      `pod resets the connection ("connection reset by peer", mostly in long transfers). ${use}`,
    evidence: [
      ...(counter.total > 0 || zero ? counter.evidence : []),
      ...nodeEvidence(input, old, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
      ...modeEvidence(standing.inUse).slice(0, 2),
    ],
    fix: fixOf(input, old, already),
    ...(already ? {} : upgradeFromDefault(standing)),
    subjects: old.map((node) => node.name),
    facts: ["conntrack-workaround", "invalid-drop-iptables-only"],
    what: counter.total > 0 ? "dropping" : already ? "nftables" : "old-kernels",
  });
}

/** The EKS add-on's schema has no conntrack settings. */
function fixOf({ provider }: CheckInput, old: NodeFacts[], already: boolean): string {
  const nodes = counted(old.length, "node");
  const when = already ? "If connections are reset" : "Before moving to nftables";
  return provider.id === "eks"
    ? `${when}, move ${nodes} to an image with kernel 6.1 or newer (AL2023), or set the sysctl net.netfilter.nf_conntrack_tcp_be_liberal=1 in the launch template: the EKS add-on has no setting for it.`
    : `${when}, set conntrack: {tcpBeLiberal: true} in kube-proxy's configuration (1.29 or newer), or give ${nodes} kernel 6.1 or newer. Where: beside the mode, in ${provider.modeSetIn}.`;
}
