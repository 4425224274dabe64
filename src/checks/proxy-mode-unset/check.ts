import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { blocksFromOf, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { counted, finding, listed, missing, statusOf, unknownFinding } from "../findings.ts";
import { modeChangeOf } from "../mode-change.ts";
import { kernelsOf, nodeEvidence, poolsText } from "../nodes.ts";

/** Nobody chose a mode: the default becomes nftables with 1.40 (KEP-5343, planned), without a fallback. */
export const proxyModeUnset: Check = {
  id: "proxy-mode-unset",
  title: "no proxy mode chosen",
  about: "upgrade",
  canBlock: "1.40 (planned), with a kernel below 5.13",
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
          detail: `${input.evidence.cluster.name}: where none is, the default changes from iptables to nftables with kube-proxy 1.40 (planned).`,
          unread: uncovered ?? unreadModeOf(input),
          fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
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
          ? `${input.evidence.cluster.name}: ${dataPlane.replacedBy} replaces kube-proxy.`
          : `kube-proxy's mode is set, so the change of the default in 1.40 does not reach ${input.evidence.cluster.name}.`,
        evidence: replaced
          ? dataPlane.replacements.map((replacement) => replacement.evidence)
          : dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
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
  const { dataPlane, evidence } = input;
  const { name } = evidence.cluster;
  const { tooOld, unknown } = kernelsOf(input);
  const unset = dataPlane.running.filter((instance) => modeOfInstance(instance) === "unset");
  const refs = `${listed(unset.map((instance) => instance.ref))} ${unset.length === 1 ? "sets" : "set"} no mode.`;
  const evidenceItems = unset.slice(0, 10).map((instance) => instance.evidence);
  const { version } = flip();
  const facts = ["default-nftables-1.40", "nftables-kernel-5.13"] as const;
  if (tooOld.length > 0) {
    return finding(proxyModeUnset, input, {
      status: statusOf(flip(), input.kubeProxyMinors),
      title: `No proxy mode is chosen, and ${counted(tooOld.length, "node")} cannot run the default of ${version} (planned)`,
      detail:
        `${name}: ${refs} With kube-proxy ${version} the default becomes nftables (planned), which needs kernel 5.13 and ` +
        `has no fallback: kube-proxy will not start on ${listed(poolsText(tooOld, (node) => node.kernelVersion))}.`,
      evidence: [
        ...evidenceItems,
        ...nodeEvidence(input, tooOld, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
      ],
      fix: pinTo(input, "Set the mode to iptables"),
      blocksFrom: flip(),
      subjects: tooOld.map((node) => node.name),
      facts,
      what: "unset/old-kernel",
    });
  }
  if (evidence.nodes.seen !== true || unknown.length > 0) {
    return unknownFinding(proxyModeUnset, input, {
      title: `No proxy mode is chosen, and the node kernels that decide about ${version} are unknown`,
      detail:
        `${name}: ${refs} With kube-proxy ${version} the default becomes nftables (planned), which needs kernel 5.13 on ` +
        "every node.",
      unread:
        evidence.nodes.seen === true
          ? missing(
              `${counted(unknown.length, "node reports", "nodes report")} no kernel version`,
              evidence.nodes.source,
            )
          : evidence.nodes,
      fix: pinTo(input, "Set the mode to iptables"),
      blocksFrom: flip(),
      facts,
      what: "unset/unknown-kernel",
    });
  }
  return kernelsSuffice(input, refs, evidenceItems);
}

function kernelsSuffice(input: CheckInput, refs: string, evidence: Finding["evidence"]): Finding {
  const { name } = input.evidence.cluster;
  const { version, certainty } = flip();
  const [oldest] = input.kubeProxyMinors;
  const flipped = oldest !== undefined && compareMinor(oldest, version) >= 0;
  return finding(proxyModeUnset, input, {
    status: flipped ? "info" : "warning",
    title: flipped
      ? `No proxy mode is chosen: kube-proxy ${oldest} runs its default, nftables (planned)`
      : `No proxy mode is chosen: with kube-proxy ${version} it changes from iptables to nftables (planned)`,
    detail:
      `${name}: ${refs} The default of the running version applies. Every node's kernel can run nftables` +
      (flipped
        ? "."
        : ", so kube-proxy will start, but NodePort, localhost and firewall behaviour change with the mode."),
    evidence,
    fix: flipped
      ? "Choose the mode, iptables or nftables, so that no later version changes it by itself."
      : pinTo(input, "Choose iptables or nftables yourself"),
    ...(flipped ? {} : { upgradeFrom: { version, certainty } }),
    facts: ["default-nftables-1.40", "nftables-kernel-5.13"],
    what: "unset",
  });
}

/** The first sentence is the next action by itself. Where the provider sets the mode, there is none to set. */
function pinTo(input: CheckInput, action: string): string {
  const { provider } = input;
  const { version } = flip();
  if (provider.modeChange === "not-offered" || provider.modeChange === "provider-forbids") {
    return `Ask ${provider.name} which mode its kube-proxy ${version} runs, and have kernel 5.13 or newer on every node by then. The mode cannot be set by hand here.`;
  }
  const { where, how } = modeChangeOf(input, "iptables");
  return `${action} before kube-proxy ${version}. Set it in ${where}: ${how}`;
}
