import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { blocksFromOf, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { counted, finding, listed, missing, statusOf, unknownFinding, whyText } from "../findings.ts";
import { kernelsOf, nodeEvidence, poolsText } from "../nodes.ts";

/** Nobody chose a mode: the default becomes nftables with 1.40 (KEP-5343, planned), without a fallback. */
export const proxyModeUnset: Check = {
  id: "proxy-mode-unset",
  title: "no proxy mode chosen",
  about: "upgrade",
  canBlock: "1.40",
  evidence: ["kube-proxy's configuration", "node kernels"],
  permissions: [
    "list daemonsets",
    "get, list pods in kube-system",
    "get configmaps in kube-system",
    "list nodes",
  ],
  judge(input) {
    const { dataPlane } = input;
    const unset = dataPlane.running.filter((instance) => modeOfInstance(instance) === "unset");
    if (unset.length > 0) return [unsetFinding(input)];
    const uncovered = uncoveredKubeProxies(input);
    if (dataPlane.mode === "unknown" || dataPlane.whyUnknown !== null || uncovered !== null) {
      return [
        unknownFinding(proxyModeUnset, input, {
          title: "Whether a proxy mode is chosen is unknown",
          detail:
            "Where none is, the default changes from iptables to nftables with kube-proxy 1.40 (planned).",
          unread: uncovered ?? missing(dataPlane.whyUnknown ?? "not told", input.evidence.daemonSets.source),
          blocksFrom: flip(),
          facts: ["default-nftables-1.40"],
          what: "unknown",
        }),
      ];
    }
    const replaced = dataPlane.mode === "none";
    return [
      finding(proxyModeUnset, input, {
        status: "pass",
        title: replaced
          ? "No kube-proxy: its default mode does not matter"
          : "The proxy mode is chosen explicitly",
        detail: replaced
          ? `${dataPlane.replacedBy} replaces kube-proxy.`
          : `kube-proxy's mode is set, so the change of the default in 1.40 does not reach ${input.evidence.cluster.name}.`,
        evidence: dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
        facts: ["default-nftables-1.40"],
        what: "chosen",
      }),
    ];
  },
};

function flip(): BlocksFrom {
  return blocksFromOf(stageOf("default-nftables-1.40"));
}

function unsetFinding(input: CheckInput): Finding {
  const { dataPlane, evidence, provider } = input;
  const { name } = evidence.cluster;
  const { tooOld, unknown } = kernelsOf(input);
  const unset = dataPlane.running.filter((instance) => modeOfInstance(instance) === "unset");
  const refs = listed(unset.map((instance) => instance.ref));
  const evidenceItems = unset.slice(0, 10).map((instance) => instance.evidence);
  const version = flip().version;
  const change = `${provider.change}`.replaceAll("CLUSTER", name);
  const pin = (mode: string) =>
    `Set the mode to ${mode} before kube-proxy ${version}. Set it in ${provider.modeSetIn}: ${change.replaceAll("{mode}", mode)}`;
  const common = {
    facts: ["default-nftables-1.40", "nftables-kernel-5.13"] as const,
    evidence: evidenceItems,
  };
  if (tooOld.length > 0) {
    return finding(proxyModeUnset, input, {
      ...common,
      status: statusOf(flip(), input.kubeProxyMinors),
      title: `No proxy mode is chosen, and ${counted(tooOld.length, "node")} cannot run the default of ${version} (planned)`,
      detail:
        `${name}: ${refs} sets no mode. With kube-proxy ${version} the default becomes nftables (planned), which needs ` +
        `kernel 5.13 and has no fallback: kube-proxy will not start on ${listed(poolsText(tooOld, (node) => node.kernelVersion))}.`,
      evidence: [
        ...evidenceItems,
        ...nodeEvidence(input, tooOld, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
      ],
      fix: pin("iptables"),
      blocksFrom: flip(),
      subjects: tooOld.map((node) => node.name),
      what: "unset/old-kernel",
    });
  }
  if (evidence.nodes.seen !== true || unknown.length > 0) {
    const unread =
      evidence.nodes.seen === true
        ? missing(`${counted(unknown.length, "node")} report no kernel version`, evidence.nodes.source)
        : evidence.nodes;
    return unknownFinding(proxyModeUnset, input, {
      title: `No proxy mode is chosen, and the node kernels that decide about ${version} are unknown`,
      detail:
        `${name}: ${refs} sets no mode. With kube-proxy ${version} the default becomes nftables (planned), which needs ` +
        `kernel 5.13 on every node. Kernels: ${whyText(unread)}.`,
      unread,
      fix: pin("iptables"),
      blocksFrom: flip(),
      facts: common.facts,
      what: "unset/unknown-kernel",
    });
  }
  return finding(proxyModeUnset, input, {
    ...common,
    status: "warning",
    title: `No proxy mode is chosen: with kube-proxy ${version} it changes from iptables to nftables (planned)`,
    detail:
      `${name}: ${refs} sets no mode, so the default of the running version applies. Every node's kernel can run ` +
      `nftables, so kube-proxy will start, but NodePort, localhost and firewall behaviour change with the mode.`,
    fix: pin("iptables"),
    upgradeFrom: { version, certainty: "planned" },
    what: "unset",
  });
}
