import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { blocksFromOf, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, missing, statusOf, unknownFinding } from "../findings.ts";
import { modeChangeOf } from "../mode-change.ts";
import { canBeOn, kernelsOf, nodeEvidence, poolsText } from "../nodes.ts";
import { kubeadmFindings } from "./kubeadm.ts";

/** The first release in which kube-proxy's kernel check works: up to 1.32 it was inverted. */
const ENFORCED: BlocksFrom = { version: "1.33", component: "kube-proxy", certainty: "released" };

/** Nodes whose kernel is below 5.13, which nftables mode refuses by version number. */
export const nodeKernel: Check = {
  id: "node-kernel",
  title: "node kernels below 5.13",
  about: "upgrade",
  canBlock: "1.33 in nftables mode (where no mode is chosen, proxy-mode-unset blocks from 1.40)",
  evidence: ["kernel versions of all Linux nodes", "the proxy mode"],
  permissions: ["list nodes"],
  judge(input) {
    const { dataPlane } = input;
    if (dataPlane.mode === "none") return [replaced(input)];
    const kernels = kernelsOf(input);
    const findings: Finding[] = [];
    if (kernels.tooOld.length > 0) findings.push(tooOld(input), ...kubeadmFindings(nodeKernel, input));
    if (input.evidence.nodes.seen !== true || kernels.unknown.length > 0)
      findings.push(unknownKernels(input));
    return findings.length > 0 ? findings : [enough(input)];
  },
};

/** Who needs a new kernel: it stops nftables mode, and only that. */
type Need = "nftables" | "default-to-come" | "migration" | "unknown";

function needOf(input: CheckInput): Need {
  const { dataPlane } = input;
  const modes = new Set([...dataPlane.running.map(modeOfInstance), dataPlane.mode]);
  if (modes.has("nftables") && (dataPlane.mode !== "mixed" || oldUnderNftables(input))) return "nftables";
  if (modes.has("unset")) return "default-to-come";
  return dataPlane.mode === "unknown" ? "unknown" : "migration";
}

/** Where nodes differ: whether an old or unknown kernel is on a node that a kube-proxy in nftables mode can be on. */
function oldUnderNftables(input: CheckInput): boolean {
  const onNftables = input.dataPlane.running.filter((instance) => modeOfInstance(instance) === "nftables");
  const { tooOld, unknown } = kernelsOf(input);
  return [...tooOld, ...unknown].some((node) => onNftables.some((instance) => canBeOn(instance, node)));
}

const CONSEQUENCE: Readonly<Record<Need, string>> = {
  nftables: `kube-proxy in nftables mode exits there from kube-proxy ${ENFORCED.version} on`,
  "default-to-come":
    "no mode is chosen, and kube-proxy will not start there once nftables is the default (planned)",
  migration: "the mode configured here does not need more, but nftables mode cannot run there",
  unknown: "nftables mode cannot run there; whether it is configured here is unknown",
};

function tooOld(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  const nodes = kernelsOf(input).tooOld;
  const need = needOf(input);
  const skips = dataPlane.running.some((instance) => instance.skipsKernelCheck);
  const blocks = need === "nftables" && !skips;
  const flip = stageOf("default-nftables-1.40");
  const informs = need === "migration" && dataPlane.mode === "iptables";
  return finding(nodeKernel, input, {
    about: need === "nftables" ? "upgrade" : "migration",
    status: blocks ? statusOf(ENFORCED, input.kubeProxyMinors) : informs ? "info" : "warning",
    title: `${counted(nodes.length, "node")} ${nodes.length === 1 ? "has" : "have"} a kernel below 5.13, too old for nftables mode`,
    detail:
      `${evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.kernelVersion))}: ${CONSEQUENCE[need]}` +
      `${need === "nftables" && skips ? ", unless its kernel check is skipped, as is set here" : ""}. kube-proxy compares the ` +
      "version number: what a vendor has ported back does not count.",
    evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
    fix: fixOf(input, need),
    ...(blocks ? { blocksFrom: ENFORCED } : {}),
    // proxy-mode-unset carries the block: one cause, one blocker.
    ...(need === "default-to-come"
      ? { upgradeFrom: { version: flip.version, certainty: flip.certainty } }
      : {}),
    subjects: nodes.map((node) => node.name),
    facts: factsOf(input, need),
    what: `below-5.13/${need === "nftables" ? "nftables" : dataPlane.mode}`,
  });
}

function factsOf({ dataPlane }: CheckInput, need: Need): FactId[] {
  if (need === "nftables") return ["nftables-kernel-5.13", "nftables-kernel-not-enforced-1.32"];
  if (need === "default-to-come") return ["nftables-kernel-5.13", "default-nftables-1.40"];
  return dataPlane.mode === "ipvs"
    ? ["nftables-kernel-5.13", "ipvs-to-iptables-cleanup"]
    : ["nftables-kernel-5.13"];
}

/** The first sentence is the next action by itself. */
function fixOf(input: CheckInput, need: Need): string {
  const { dataPlane } = input;
  const move = moveOf(input);
  if (need === "nftables") {
    const { where, how } = modeChangeOf(input, "iptables");
    return `${move}, or set iptables until then. Set it in ${where}: ${how}`;
  }
  if (need === "default-to-come") return `${move} or set iptables before kube-proxy 1.40.`;
  if (dataPlane.mode === "ipvs") {
    return (
      `${move} before leaving ipvs for nftables. If the date comes first, iptables mode works on these kernels: ` +
      "after ipvs to iptables, run kube-proxy --cleanup or reboot each node, since ipvs leftovers are not removed by themselves."
    );
  }
  return `${move} before any change to nftables.`;
}

function moveOf(input: CheckInput): string {
  const { tooOld } = kernelsOf(input);
  const amazonLinux2 = tooOld.every((node) => /^Amazon Linux 2( |$)/.test(node.osImage));
  return amazonLinux2
    ? "Move the Amazon Linux 2 nodes to AL2023 or Bottlerocket"
    : `Move ${counted(tooOld.length, "node")} to an image with kernel 5.13 or newer`;
}

function unknownKernels(input: CheckInput): Finding {
  const { evidence } = input;
  const { unknown } = kernelsOf(input);
  const need = needOf(input);
  const unread =
    evidence.nodes.seen === true
      ? missing(
          `${counted(unknown.length, "node reports", "nodes report")} no kernel version`,
          evidence.nodes.source,
        )
      : evidence.nodes;
  // In ipvs and iptables mode the kernel decides about a migration, not about the upgrade.
  const flip = stageOf("default-nftables-1.40");
  const blocksFrom =
    need === "nftables" ? ENFORCED : need === "default-to-come" ? blocksFromOf(flip) : undefined;
  return unknownFinding(nodeKernel, input, {
    about: need === "nftables" ? "upgrade" : "migration",
    title:
      unknown.length > 0
        ? `The kernel of ${counted(unknown.length, "node")} is unknown`
        : "The node kernels are unknown",
    detail: `${evidence.cluster.name}: nftables mode needs kernel 5.13 or newer on every node.`,
    unread,
    fix:
      evidence.nodes.seen === true
        ? `Find the kernel of ${counted(unknown.length, "node")}: kubectl get nodes -o wide shows what each node reports.`
        : "Give the auditor list nodes, or add the nodes to the dump. proxy-audit doctor names what is missing.",
    ...(blocksFrom === undefined ? {} : { blocksFrom }),
    ...(unknown.length > 0 ? { subjects: unknown.map((node) => node.name) } : {}),
    facts: ["nftables-kernel-5.13"],
    what: "unknown",
  });
}

function enough(input: CheckInput): Finding {
  const { evidence } = input;
  const nodes = kernelsOf(input).enough;
  return finding(nodeKernel, input, {
    status: nodes.length === 0 ? "info" : "pass",
    title:
      nodes.length === 0
        ? "No node here runs this cluster's own kube-proxy"
        : `Every kernel is 5.13 or newer (${counted(nodes.length, "node")})`,
    detail:
      nodes.length === 0
        ? `${evidence.cluster.name} has no Linux node, or only nodes whose kube-proxy the provider runs.`
        : `${evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.kernelVersion))}. nftables mode accepts these by number; a kernel built by hand also needs NFT_FIB.`,
    evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
    facts: ["nftables-kernel-5.13", "nft-fib"],
    what: "enough",
  });
}

function replaced(input: CheckInput): Finding {
  const { dataPlane } = input;
  return finding(nodeKernel, input, {
    status: "info",
    title: `${dataPlane.replacedBy} replaces kube-proxy: kube-proxy's kernel requirement does not apply`,
    detail: `${input.evidence.cluster.name}: ${dataPlane.replacedBy} has kernel requirements of its own, which are not judged here.`,
    evidence: dataPlane.replacements.map((replacement) => replacement.evidence),
    what: "replaced",
  });
}
