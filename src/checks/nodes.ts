import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { nftablesKernel } from "#src/kubernetes/kernel.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import type { CheckInput } from "./check.ts";

/** Nodes that run the cluster's kube-proxy, by what nftables mode thinks of their kernel. */
export interface KernelsOfNodes {
  tooOld: NodeFacts[];
  unknown: NodeFacts[];
  enough: NodeFacts[];
}

/** kube-proxy compares the kernel's version number with 5.13; back-ports do not count. */
export function kernelsOf({ evidence }: CheckInput): KernelsOfNodes {
  const kernels: KernelsOfNodes = { tooOld: [], unknown: [], enough: [] };
  for (const node of kubeProxyNodesOf(evidence)) {
    const answer = nftablesKernel(node.kernelVersion, node.os ?? "linux");
    if (answer === "no") kernels.tooOld.push(node);
    else if (answer === "yes") kernels.enough.push(node);
    else if (answer === "unknown") kernels.unknown.push(node);
  }
  return kernels;
}

/**
 * Whether a kube-proxy can be on a node, by the nodes it was seen on or its node selector. Only some labels of a
 * node are kept, so one that is missing does not rule the node out.
 */
export function canBeOn({ nodes, nodeSelector }: ProxyInstance, node: NodeFacts): boolean {
  if (nodes.length > 0) return nodes.includes(node.name);
  return Object.entries(nodeSelector).every(([key, value]) => (node.labels[key] ?? value) === value);
}

/** Nodes in their pools; nodes without a pool by their image. */
export function byPool(nodes: readonly NodeFacts[]): Map<string, NodeFacts[]> {
  return Map.groupBy(nodes, (node) => node.pool ?? (node.osImage || "no pool"));
}

/** `al2-workers (3 nodes, kernel 5.10.234-225.921.amzn2.x86_64)` for each pool. */
export function poolsText(nodes: readonly NodeFacts[], field: (node: NodeFacts) => string): string[] {
  return [...byPool(nodes)].map(([pool, members]) => {
    const values = [...new Set(members.map(field))];
    const more = values.length > 2 ? ` and ${values.length - 2} more` : "";
    return `${pool} (${members.length} ${members.length === 1 ? "node" : "nodes"}: ${values.slice(0, 2).join(", ")}${more})`;
  });
}

/** The first nodes of each pool as evidence: name and the field that was judged. */
export function nodeEvidence(
  { evidence }: CheckInput,
  nodes: readonly NodeFacts[],
  path: string,
  field: (node: NodeFacts) => string,
): EvidenceItem[] {
  const firsts = [...byPool(nodes).values()].flatMap((members) => members.slice(0, 1)).slice(0, 10);
  return firsts.map((node) => ({
    source: evidence.nodes.source,
    path: `Node ${node.name} ${path}`,
    excerpt: field(node) || "(empty)",
  }));
}
