import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { nftablesKernel } from "#src/kubernetes/kernel.ts";
import { parseContainerRuntime } from "#src/kubernetes/runtime.ts";
import type { NodePool, NodeSummary } from "#src/model/cluster-audit.ts";
import { observedValue } from "#src/model/observed.ts";

const KERNELS_SHOWN = 5;

/** The cluster's nodes in numbers and pools; kernels count on nodes that run this cluster's kube-proxy. */
export function nodeSummaryOf(evidence: Evidence): NodeSummary {
  const nodes = observedValue(evidence.nodes) ?? [];
  const kernels = kubeProxyNodesOf(evidence).map(kernelAnswer);
  const pools = Map.groupBy(nodes, (node) => node.pool ?? (node.osImage || "no pool"));
  return {
    count: nodes.length,
    belowNftablesKernel: kernels.filter((answer) => answer === "no").length,
    unknownKernel: kernels.filter((answer) => answer === "unknown").length,
    containerd1: nodes.filter(
      (node) => parseContainerRuntime(node.containerRuntimeVersion).containerd1x === true,
    ).length,
    pools: [...pools].map(([name, members]) => poolOf(name, members)),
  };
}

function kernelAnswer(node: NodeFacts): NodePool["nftables"] {
  return nftablesKernel(node.kernelVersion, node.os ?? "linux");
}

/** The worst answer of its nodes stands for the pool. */
function poolOf(name: string, members: readonly NodeFacts[]): NodePool {
  const answers = new Set(members.map(kernelAnswer));
  const nftables = (["no", "unknown", "yes", "not-applicable"] as const).find((answer) =>
    answers.has(answer),
  );
  return {
    name,
    count: members.length,
    kernels: [...new Set(members.map((node) => node.kernelVersion))].slice(0, KERNELS_SHOWN),
    nftables: nftables ?? "unknown",
  };
}
