import {
  type NotSeen,
  type Observed,
  observedValue,
  type PartlySeen,
  partlySeen,
} from "#src/model/observed.ts";
import { eksImageOf } from "#src/providers/eks-images.ts";
import type { NodeFacts } from "../kubernetes/nodes.ts";
import type { EksNodegroup } from "./evidence.ts";

/**
 * Nodes as the managed node groups imply them, where the Kubernetes API did not show any: as many as each group
 * wants, with the kernel and containerd of its image. In part at best, since self-managed and Karpenter nodes are in
 * no node group: it may prove a blocker, never a pass.
 */
export function nodesOrNodegroups(
  nodes: Observed<NodeFacts[]>,
  nodegroups: Observed<EksNodegroup[]>,
): Observed<NodeFacts[]> {
  return nodes.seen === false ? impliedNodes(nodes, nodegroups) : nodes;
}

function impliedNodes(
  unread: NotSeen,
  nodegroups: Observed<EksNodegroup[]>,
): PartlySeen<NodeFacts[]> | NotSeen {
  const implied = (observedValue(nodegroups) ?? []).flatMap(nodesOf);
  if (implied.length === 0) return unread;
  const detail = `nodes are inferred from the EKS node groups, because ${unread.detail}`;
  return partlySeen(implied, unread.why, detail, nodegroups.source);
}

function nodesOf(group: EksNodegroup): NodeFacts[] {
  const { name, amiType, releaseVersion, version } = group;
  const image = eksImageOf(amiType, releaseVersion, version);
  const by = `(by ${[amiType, releaseVersion].filter((part) => part !== null).join(" ")})`;
  const count = group.desiredSize ?? 0;
  const windows = amiType.startsWith("WINDOWS_");
  return Array.from({ length: count }, (_, index) => ({
    name: `${name} (${index + 1} of ${count})`,
    kubeletVersion: version === null ? "" : `v${version}`,
    kernelVersion: image?.kernel ? `${image.kernel} ${by}` : "",
    osImage: amiType,
    containerRuntimeVersion: image?.containerd ? `containerd://${image.containerd} ${by}` : "",
    os: windows ? ("windows" as const) : ("linux" as const),
    compute: null,
    pool: name,
    nodeArgs: null,
    labels: {},
  }));
}
