import { kubeletMinorsOf } from "#src/evidence/data-plane/start.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { parseContainerRuntime } from "#src/kubernetes/runtime.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { containerd1EndsAt } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, missing, unknownFinding } from "../findings.ts";
import { byPool, nodeEvidence, poolsText } from "../nodes.ts";

/** Nodes on containerd 1.x, against the kubelet that stops working with it (KEP-4033; slipped twice). */
export const containerRuntime: Check = {
  id: "container-runtime",
  title: "nodes on containerd 1.x",
  about: "upgrade",
  canBlock: "kubelet 1.38 (planned)",
  evidence: ["container runtime versions of all nodes"],
  permissions: ["list nodes"],
  judge(input) {
    const nodes = customerNodes(input);
    const old = nodes.filter(
      (node) => parseContainerRuntime(node.containerRuntimeVersion).containerd1x === true,
    );
    const unknown = nodes.filter(
      (node) => parseContainerRuntime(node.containerRuntimeVersion).containerd1x === null,
    );
    const replacedByImage = old.filter((node) => getsNewImages(input, node));
    const staying = old.filter((node) => !replacedByImage.includes(node));
    const findings: Finding[] = [];
    if (staying.length > 0) findings.push(stays(input, staying));
    if (replacedByImage.length > 0) findings.push(goesWithImage(input, replacedByImage));
    if (input.evidence.nodes.seen !== true || unknown.length > 0)
      findings.push(unknownRuntime(input, unknown));
    return findings.length > 0 ? findings : [fine(input, nodes)];
  },
};

/** Nodes whose image the customer chooses: not Auto Mode's, not Fargate's, not virtual ones. */
function customerNodes({ evidence }: CheckInput): NodeFacts[] {
  return (observedValue(evidence.nodes) ?? []).filter(
    (node) => node.compute === null || node.compute === "hybrid",
  );
}

/** Providers whose pools take a new image, and with it a new containerd, when the pool is upgraded. */
const IMAGES_WITH_THE_POOL = new Set(["eks", "gke", "aks", "doks", "ack", "oke", "yandex"]);

/** k3s, RKE2, k0s and microk8s ship containerd themselves: it moves with the kubelet. */
const RUNTIME_WITH_KUBELET = new Set(["k3s", "rke2", "k0s", "microk8s"]);

function getsNewImages({ provider }: CheckInput, node: NodeFacts): boolean {
  if (RUNTIME_WITH_KUBELET.has(provider.id)) return true;
  return IMAGES_WITH_THE_POOL.has(provider.id) && node.pool !== null && node.compute !== "hybrid";
}

function stays(input: CheckInput, nodes: NodeFacts[]): Finding {
  const { blocksFrom, provenAt } = endFor(nodes);
  const refuses = `kubelet ${blocksFrom.version} refuses (${blocksFrom.certainty})`;
  return finding(containerRuntime, input, {
    status: "warning",
    title: `${counted(nodes.length, "node")} on containerd 1.x, which ${refuses}`,
    detail:
      `${input.evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.containerRuntimeVersion))}. ` +
      "The removal was planned for 1.36, then 1.37, and now stands at " +
      `${containerd1EndsAt().version}; kubelets before that run with containerd 1.x. ` +
      (provenAt === null
        ? ""
        : `Here a kubelet ${provenAt} still runs with it, so the plan has slipped once more. `) +
      "containerd 1.7 gets no more fixes since September 2026.",
    evidence: nodeEvidence(
      input,
      nodes,
      "status.nodeInfo.containerRuntimeVersion",
      (node) => node.containerRuntimeVersion,
    ),
    fix: `Upgrade containerd to 2.x on ${counted(nodes.length, "node")} before kubelet ${blocksFrom.version}.`,
    blocksFrom,
    subjects: nodes.map((node) => node.name),
    facts: ["containerd1-1.38", "containerd1-still-runs"],
    what: "containerd-1",
  });
}

/** A kubelet of the planned version that runs with containerd 1.x shows that the plan has slipped: the next may be it. */
function endFor(nodes: readonly NodeFacts[]): { blocksFrom: BlocksFrom; provenAt: string | null } {
  const planned = containerd1EndsAt();
  const newest = kubeletMinorsOf(nodes).toSorted(compareMinor).at(-1);
  if (newest === undefined || compareMinor(newest, planned.version) < 0)
    return { blocksFrom: planned, provenAt: null };
  return {
    blocksFrom: { ...planned, version: addMinor(newest, 1), certainty: "estimated" },
    provenAt: newest,
  };
}

function goesWithImage(input: CheckInput, nodes: NodeFacts[]): Finding {
  const { version } = containerd1EndsAt();
  const amazonLinux2 = nodes.some((node) => /^Amazon Linux 2( |$)/.test(node.osImage));
  const withKubelet = RUNTIME_WITH_KUBELET.has(input.provider.id);
  return finding(containerRuntime, input, {
    status: "warning",
    title: `${counted(nodes.length, "node")} on containerd 1.x; ${withKubelet ? "the upgrade itself" : "a new node image"} brings 2.x`,
    detail:
      `${input.evidence.cluster.name}: ${listed(poolsText(nodes, (node) => node.containerRuntimeVersion))}. Kubelet ${version} ` +
      `no longer starts with containerd 1.x (planned). ` +
      (withKubelet
        ? `${input.provider.name} ships containerd with the kubelet, so it moves along.`
        : `These pools get a new image when they are upgraded.${amazonLinux2 ? " Amazon Linux 2 has none from 1.33 on and must be replaced." : ""}`),
    evidence: nodeEvidence(
      input,
      nodes,
      "status.nodeInfo.containerRuntimeVersion",
      (node) => node.containerRuntimeVersion,
    ),
    fix: withKubelet
      ? `Upgrade ${input.provider.name} as usual, and check the version of containerd afterwards. Nothing is to be done by hand.`
      : `Move ${listed([...byPool(nodes).keys()])} to a current image before kubelet ${version}.`,
    subjects: nodes.map((node) => node.name),
    facts: ["containerd1-1.38"],
    what: "containerd-1/new-image",
  });
}

function unknownRuntime(input: CheckInput, nodes: NodeFacts[]): Finding {
  const { evidence } = input;
  return unknownFinding(containerRuntime, input, {
    title:
      nodes.length > 0
        ? `The container runtime of ${counted(nodes.length, "node")} is unknown`
        : "The container runtimes are unknown",
    detail: `${evidence.cluster.name}: kubelet ${containerd1EndsAt().version} no longer starts with containerd 1.x (planned).`,
    unread:
      evidence.nodes.seen === true
        ? missing(
            `${counted(nodes.length, "node reports", "nodes report")} no runtime version`,
            evidence.nodes.source,
          )
        : evidence.nodes,
    fix:
      evidence.nodes.seen === true
        ? `Find the runtime of ${counted(nodes.length, "node")}: kubectl get nodes -o wide shows what each node reports.`
        : "Give the auditor list nodes, or add the nodes to the dump. proxy-audit doctor names what is missing.",
    blocksFrom: containerd1EndsAt(),
    ...(nodes.length > 0 ? { subjects: nodes.map((node) => node.name) } : {}),
    facts: ["containerd1-1.38"],
    what: "unknown",
  });
}

function fine(input: CheckInput, nodes: NodeFacts[]): Finding {
  const runtimes = [...new Set(nodes.map((node) => node.containerRuntimeVersion))];
  return finding(containerRuntime, input, {
    status: nodes.length === 0 ? "info" : "pass",
    title:
      nodes.length === 0 ? "No node here has a container runtime of yours" : "No node runs containerd 1.x",
    detail: `${input.evidence.cluster.name}: ${nodes.length === 0 ? "all nodes are the provider's own" : listed(runtimes, 8)}.`,
    evidence: nodeEvidence(
      input,
      nodes,
      "status.nodeInfo.containerRuntimeVersion",
      (node) => node.containerRuntimeVersion,
    ),
    facts: ["containerd1-1.38"],
    what: "fine",
  });
}
