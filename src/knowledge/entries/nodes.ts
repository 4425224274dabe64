import { addMinor } from "#src/kubernetes/version.ts";
import type { Entry } from "../entry.ts";
import { CGROUP_V1, CONTAINERD1_ENDS, dated } from "../versions.ts";

/** Container runtime and cgroups: the other reasons why a node stops at an upgrade. */
export const NODE_ENTRIES: readonly Entry[] = [
  {
    id: "containerd1-1.36",
    question: "Does 1.36 refuse containerd 1.x?",
    askedAs: [
      "does kubernetes 1.36 drop containerd 1.7",
      "is containerd 1.7 supported in 1.36",
      "containerd 1.x 1.36",
      "does kubelet 1.37 refuse containerd 1.x",
      "containerd 1.x 1.37",
      "is 1.35 the last release with containerd 1.x",
    ],
    answer: ({ now }) => ({
      certainty: CONTAINERD1_ENDS.certainty,
      text:
        `No: kubelet 1.35, 1.36 and 1.37 run with containerd 1.x; they log a warning and fall back on their own setting. ` +
        `The end is planned for kubelet ${dated(CONTAINERD1_ENDS.version, now)} and has slipped twice, from 1.36 and from 1.37. ` +
        `containerd itself no longer lists 1.7 beside 1.36, and its community support has ended, so move to containerd 2 anyway.`,
    }),
    facts: [
      "claim-1.36-refuses-containerd1",
      "claim-1.35-last-containerd1",
      "containerd1-still-runs",
      "containerd1-1.38",
      "containerd-matrix",
    ],
    claim: "false",
    fleetQuestion: "containerd1",
    related: ["containerd-kubelet", "cgroup-v1"],
  },
  {
    id: "containerd-kubelet",
    question: "Which containerd does which kubelet need?",
    askedAs: [
      "containerd version kubernetes compatibility",
      "which kubelet needs containerd 2",
      "when do I need containerd 2.0",
      "containerd and kubelet",
      "containerd 1.x 1.38",
      "last kubelet with containerd 1.7",
      "containerd 1.x end",
      "CRI implementation should be updated to support RuntimeConfig",
      "kubelet_cri_losing_support",
      "containerd",
    ],
    answer: ({ now }) => ({
      certainty: CONTAINERD1_ENDS.certainty,
      text:
        `containerd 2.0 or newer from kubelet ${dated(CONTAINERD1_ENDS.version, now)} on, by the plan; up to kubelet ${addMinor(CONTAINERD1_ENDS.version, -1)} containerd 1.7 runs. ` +
        "From that version the kubelet is to exit where the runtime does not answer RuntimeConfig, which containerd has from 2.0 and CRI-O from 1.28. " +
        "The change had not been merged when this was last checked, and has slipped twice. The metric kubelet_cri_losing_support names the version that was planned when that kubelet was built, so do not take it for today's plan.",
    }),
    facts: ["containerd1-1.38", "containerd1-still-runs", "containerd-matrix"],
    fleetQuestion: "containerd1",
    related: ["containerd1-1.36", "cgroup-v1"],
  },
  {
    id: "cgroup-v1",
    question: "Does kubelet 1.35 fail on cgroup v1?",
    askedAs: [
      "cgroup v1",
      "cgroups v1 removed",
      "failCgroupV1",
      "kubelet is configured to not run on a host using cgroup v1",
      "is cgroup v1 still supported",
      "cgroupv1 1.36",
      "when is cgroup v1 removed",
      "how do I know whether nodes use cgroup v2",
    ],
    answer: ({ now }) => ({
      certainty: CGROUP_V1.certainty,
      text:
        `Yes, by default: from ${dated(CGROUP_V1.version, now)} kubelet does not start on a cgroup v1 host. ` +
        "failCgroupV1: false in the kubelet's configuration keeps it running, and no version is set for deleting that code, which some articles take for done. " +
        "The node object does not show the cgroup version: an event with reason CgroupV1 or the metric kubelet_cgroup_version does.",
    }),
    facts: ["claim-1.35-cgroup-v1", "claim-cgroup-v1-removed-1.35", "cgroup-v1-1.35", "cgroup-v1-signals"],
    claim: "true",
    fleetQuestion: "cgroup-v1",
    related: ["containerd-kubelet", "kubelet-flags"],
  },
];
