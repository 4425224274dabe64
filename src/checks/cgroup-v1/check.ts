import { compareMinor } from "#src/kubernetes/version.ts";
import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { stageOf } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, unknownFinding } from "../findings.ts";
import { CGROUP_V1_IMAGES } from "./images.ts";

const VERIFY =
  "On a node: stat -fc %T /sys/fs/cgroup prints cgroup2fs for version 2 and tmpfs for version 1.";

/**
 * Nodes on cgroup v1, which kubelet 1.35 and newer refuses unless failCgroupV1 is false (KEP-5573). The Node object
 * does not show it: events prove it while they live, the kubelets' metric tells it either way.
 */
export const cgroupV1: Check = {
  id: "cgroup-v1",
  title: "nodes on cgroup v1",
  about: "upgrade",
  canBlock: null,
  evidence: ["events with reason CgroupV1", "the metric kubelet_cgroup_version", "node images (a hint)"],
  permissions: ["list events", "a Prometheus that scrapes the kubelets (--prometheus URL)", "list nodes"],
  judge(input) {
    const proven = provenNodes(input);
    if (proven.size > 0) return [onCgroupV1(input, proven)];
    const { cgroupEvents, cgroupVersions, nodes } = input.evidence;
    const linux = (observedValue(nodes) ?? []).filter((node) => node.os !== "windows").length;
    const told = observedValue(cgroupVersions)?.length ?? 0;
    if (cgroupVersions.seen === true && nodes.seen === true && linux > 0 && told >= linux)
      return [onV2(input)];
    if (cgroupEvents.seen === false) {
      return [
        unknownFinding(cgroupV1, input, {
          title: "Whether nodes use cgroup v1 is unknown",
          detail: `${input.evidence.cluster.name}: neither the kubelets' events nor their metrics were read.`,
          unread: cgroupEvents,
          fix: VERIFY,
          facts: ["cgroup-v1-1.35", "cgroup-v1-signals"],
          what: "unread",
        }),
      ];
    }
    return [notShown(input)];
  },
};

/** Node to what proves it. */
function provenNodes({ evidence }: CheckInput): Map<string, EvidenceItem> {
  const proven = new Map<string, EvidenceItem>();
  for (const event of observedValue(evidence.cgroupEvents) ?? []) {
    const path = `Event about Node ${event.about}`;
    proven.set(event.about, { source: evidence.cgroupEvents.source, path, excerpt: event.reason });
  }
  for (const { node, version } of observedValue(evidence.cgroupVersions) ?? []) {
    if (version !== 1) continue;
    const path = `${node} kubelet_cgroup_version`;
    proven.set(node, { source: evidence.cgroupVersions.source, path, excerpt: "1" });
  }
  return proven;
}

function onCgroupV1(input: CheckInput, proven: ReadonlyMap<string, EvidenceItem>): Finding {
  const { name } = input.evidence.cluster;
  const stage = stageOf("cgroup-v1-1.35");
  const [oldest] = input.kubeletMinors;
  const excepted = oldest !== undefined && compareMinor(oldest, stage.version) >= 0;
  return finding(cgroupV1, input, {
    status: "warning",
    title: excepted
      ? `${counted(proven.size, "node")} on cgroup v1, which runs by exception (failCgroupV1: false)`
      : `${counted(proven.size, "node")} on cgroup v1: kubelet ${stage.version} and newer does not start there by default`,
    detail:
      `${name}: ` +
      (excepted
        ? `its kubelets are ${oldest} or newer and run on cgroup v1 all the same, so failCgroupV1 is false. The code is to be removed; no version is set for that.`
        : `from ${stage.version} on the kubelet exits on cgroup v1 unless failCgroupV1 is false in its configuration. The events are from the last hour: there may be more such nodes.`),
    evidence: [...proven.values()].slice(0, 10),
    fix: excepted
      ? `Move ${counted(proven.size, "node")} to an image that boots with cgroup v2, then take failCgroupV1 out of the kubelet configuration.`
      : `Move ${counted(proven.size, "node")} to an image that boots with cgroup v2 before kubelet ${stage.version}; failCgroupV1: false in the kubelet configuration puts it off.`,
    subjects: [...proven.keys()],
    facts: ["cgroup-v1-1.35", "cgroup-v1-signals"],
    what: excepted ? "excepted" : "cgroup-v1",
  });
}

function onV2(input: CheckInput): Finding {
  const { cgroupVersions, cluster } = input.evidence;
  const versions = observedValue(cgroupVersions) ?? [];
  return finding(cgroupV1, input, {
    status: "pass",
    title: `All ${versions.length} kubelets report cgroup v2`,
    detail: `${cluster.name}: by the metric kubelet_cgroup_version.`,
    evidence: versions.slice(0, 5).map(({ node, version }) => ({
      source: cgroupVersions.source,
      path: `${node} kubelet_cgroup_version`,
      excerpt: String(version),
    })),
    facts: ["cgroup-v1-signals"],
    what: "cgroup-v2",
  });
}

/** Nothing proves v1, and nothing that was read could prove v2: what to verify, with the images as a hint. */
function notShown(input: CheckInput): Finding {
  const { cgroupEvents, nodes, cluster } = input.evidence;
  const likely = (observedValue(nodes) ?? []).filter((node) =>
    CGROUP_V1_IMAGES.some(({ osImage }) => osImage.test(node.osImage)),
  );
  const hint =
    likely.length === 0
      ? ""
      : ` Start with the images whose default is cgroup v1 (${counted(likely.length, "node")}).`;
  return finding(cgroupV1, input, {
    status: "info",
    title:
      likely.length === 0
        ? "Which cgroup version the nodes use is not visible in the API: verify it"
        : `${counted(likely.length, "node")} may use cgroup v1, judged by the image: verify it`,
    detail:
      `${cluster.name}: the Node object does not show the cgroup version. No CgroupV1 event was found, which proves nothing: ` +
      `the kubelet emits it when it starts and it lives about an hour.${hint} Kubelet 1.35 and newer does not start on cgroup v1 by default.`,
    evidence: [
      { source: cgroupEvents.source, path: "events with reason CgroupV1", excerpt: "none" },
      ...likely.slice(0, 5).map((node) => ({
        source: nodes.source,
        path: `Node ${node.name} status.nodeInfo.osImage`,
        excerpt: node.osImage,
      })),
    ],
    fix: VERIFY,
    ...(likely.length === 0 ? {} : { subjects: likely.map((node) => node.name) }),
    facts: ["cgroup-v1-1.35", "cgroup-v1-signals"],
    what: likely.length === 0 ? "not-visible" : "likely",
  });
}
