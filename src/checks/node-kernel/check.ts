import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { parseLinuxKernel } from "#src/kubernetes/kernel.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { kubeadmRefusesKernel } from "#src/timeline/kubeadm-kernels.ts";
import { blocksFromOf, stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, missing, statusOf, unknownFinding } from "../findings.ts";
import { kernelsOf, nodeEvidence, poolsText } from "../nodes.ts";

/** The first release in which kube-proxy's kernel check works: up to 1.32 it was inverted. */
const ENFORCED: BlocksFrom = { version: "1.33", component: "kube-proxy", certainty: "released" };

/** Nodes whose kernel is below 5.13, which nftables mode refuses by version number. */
export const nodeKernel: Check = {
  id: "node-kernel",
  title: "node kernels below 5.13",
  about: "upgrade",
  canBlock: "1.33 in nftables mode; with proxy-mode-unset from 1.40",
  evidence: ["kernel versions of all Linux nodes", "the proxy mode"],
  permissions: ["list nodes"],
  judge(input) {
    const { dataPlane } = input;
    if (dataPlane.mode === "none") return [replaced(input)];
    const kernels = kernelsOf(input);
    const findings: Finding[] = [];
    if (kernels.tooOld.length > 0) findings.push(tooOld(input), ...kubeadmFindings(input));
    if (input.evidence.nodes.seen !== true || kernels.unknown.length > 0)
      findings.push(unknownKernels(input));
    return findings.length > 0 ? findings : [enough(input)];
  },
};

type Bearing = { about: Finding["about"]; blocksFrom?: BlocksFrom; upgradeFrom?: Finding["upgradeFrom"] };

/** What an old kernel means depends on the mode: it stops nftables, and only nftables. */
function bearingOf({ dataPlane }: CheckInput): Bearing {
  const modes = new Set(dataPlane.running.map(modeOfInstance));
  if (modes.has("nftables")) return { about: "upgrade", blocksFrom: ENFORCED };
  if (modes.has("unset")) {
    // proxy-mode-unset carries the block: one cause, one blocker.
    const { version, certainty } = stageOf("default-nftables-1.40");
    return { about: "migration", upgradeFrom: { version, certainty } };
  }
  return { about: "migration" };
}

function tooOld(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  const nodes = kernelsOf(input).tooOld;
  const { about, blocksFrom, upgradeFrom } = bearingOf(input);
  const pools = listed(poolsText(nodes, (node) => node.kernelVersion));
  const nftables = blocksFrom !== undefined;
  const skips = dataPlane.running.some((instance) => instance.skipsKernelCheck);
  const consequence = nftables
    ? `kube-proxy in nftables mode exits on them${skips ? " unless its kernel check is skipped, as is set here" : ""}`
    : dataPlane.mode === "ipvs"
      ? "they cannot move from ipvs to nftables as they are"
      : dataPlane.mode === "unset"
        ? "kube-proxy will not start on them once nftables is the default"
        : "they cannot run nftables mode; the mode configured here does not need it";
  const blocks = nftables && !skips ? { blocksFrom: ENFORCED } : {};
  return finding(nodeKernel, input, {
    about,
    status:
      nftables && !skips
        ? statusOf(ENFORCED, input.kubeProxyMinors)
        : dataPlane.mode === "iptables"
          ? "info"
          : "warning",
    title: `${counted(nodes.length, "node")} ${nodes.length === 1 ? "has" : "have"} a kernel below 5.13, too old for nftables mode`,
    detail:
      `${evidence.cluster.name}: ${pools}: ${consequence}. kube-proxy compares the version number; features that a vendor ` +
      "has ported back do not count.",
    evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
    fix: fixOf(input, nftables),
    ...blocks,
    ...(upgradeFrom === undefined ? {} : { upgradeFrom }),
    subjects: nodes.map((node) => node.name),
    facts: nftables
      ? ["nftables-kernel-5.13", "nftables-kernel-not-enforced-1.32"]
      : ["nftables-kernel-5.13", "ipvs-to-iptables-cleanup"],
    what: `below-5.13/${nftables ? "nftables" : dataPlane.mode}`,
  });
}

function fixOf({ dataPlane, provider }: CheckInput, nftables: boolean): string {
  const images =
    provider.id === "eks"
      ? "move Amazon Linux 2 pools to AL2023 or Bottlerocket"
      : "move the pools to an image with kernel 5.13 or newer";
  if (nftables)
    return `Set iptables in ${provider.modeSetIn} until every node has kernel 5.13, or ${images} first.`;
  if (dataPlane.mode === "ipvs") {
    return (
      `First ${images}; then switch to nftables. If the date comes first, iptables mode works on these kernels: after ` +
      "ipvs to iptables, run kube-proxy --cleanup or reboot each node, since ipvs leftovers are not removed by themselves."
    );
  }
  return `Before any move to nftables, ${images}.`;
}

function kubeadmFindings(input: CheckInput): Finding[] {
  const { provider, evidence } = input;
  if (provider.id !== "kubeadm" && provider.id !== "kubespray") return [];
  const hit = kernelsOf(input).tooOld.flatMap((node) => {
    const kernel = parseLinuxKernel(node.kernelVersion, node.os ?? "linux");
    const limit = kernel === null ? null : kubeadmRefusesKernel(kernel);
    return limit === null ? [] : [{ node, limit }];
  });
  const [first] = hit.toSorted((a, b) => compareMinor(a.limit.version, b.limit.version));
  if (!first) return [];
  const { version, certainty, onlyWarnsFrom } = first.limit;
  const nodes = hit.map(({ node }) => node);
  const onlyWarns =
    compareMinor(version, onlyWarnsFrom) >= 0 ||
    input.kubeProxyMinors.some((minor) => compareMinor(minor, onlyWarnsFrom) >= 0);
  return [
    finding(nodeKernel, input, {
      status: "warning",
      title: `kubeadm's preflight objects to the kernel of ${counted(nodes.length, "node")} from ${version} on`,
      detail:
        `${evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.kernelVersion))}. ` +
        (onlyWarns
          ? "kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. "
          : "kubeadm refuses the upgrade on those nodes unless the preflight error is ignored. ") +
        "The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
      evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
      fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
      blocksFrom: { version, component: "kubeadm", certainty },
      subjects: nodes.map((node) => node.name),
      facts: [version === "1.32" ? "kubeadm-kernels-1.32" : "kubeadm-kernels-1.39"],
      what: `kubeadm/${version}`,
    }),
  ];
}

function unknownKernels(input: CheckInput): Finding {
  const { evidence, dataPlane } = input;
  const { unknown } = kernelsOf(input);
  const bearing = bearingOf(input);
  const unread =
    evidence.nodes.seen === true
      ? missing(`${counted(unknown.length, "node")} report no kernel version`, evidence.nodes.source)
      : evidence.nodes;
  // In ipvs and iptables mode the kernel decides about a migration, not about the upgrade.
  const flip = blocksFromOf(stageOf("default-nftables-1.40"));
  const blocksFrom = bearing.blocksFrom ?? (dataPlane.mode === "unset" ? flip : undefined);
  const about = bearing.blocksFrom ? ("upgrade" as const) : ("migration" as const);
  return unknownFinding(nodeKernel, input, {
    about,
    title:
      unknown.length > 0
        ? `The kernel of ${counted(unknown.length, "node")} is unknown`
        : "The node kernels are unknown",
    detail: "nftables mode needs kernel 5.13 or newer on every node.",
    unread,
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
        : `${evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.kernelVersion))}. kube-proxy's nftables mode accepts these by number; whether a custom kernel was built with NFT_FIB is judged by nft-build.`,
    evidence: nodeEvidence(input, nodes, "status.nodeInfo.kernelVersion", (node) => node.kernelVersion),
    facts: ["nftables-kernel-5.13"],
    what: "enough",
  });
}

function replaced(input: CheckInput): Finding {
  const { dataPlane } = input;
  return finding(nodeKernel, input, {
    status: "info",
    title: `${dataPlane.replacedBy} replaces kube-proxy: kube-proxy's kernel requirement does not apply`,
    detail: `${dataPlane.replacedBy} has kernel requirements of its own, which are not judged here.`,
    evidence: dataPlane.replacements.map((replacement) => replacement.evidence),
    what: "replaced",
  });
}
