import { describe, expect, it } from "vitest";
import type { EksNodegroup } from "#src/evidence/eks/evidence.ts";
import { nodesOrNodegroups } from "#src/evidence/eks/nodegroup-nodes.ts";
import type { NodeFacts } from "#src/evidence/kubernetes/nodes.ts";
import { notSeen, partlySeen, type Source, seen } from "#src/model/observed.ts";

const kubernetes: Source = { kind: "kubernetes", ref: "/api/v1/nodes", at: "2026-11-30T00:00:00Z" };
const eks: Source = { kind: "eks", ref: "ListNodegroups", at: "2026-11-30T00:00:00Z" };
const unread = notSeen("timeout", "no answer within 15 s", kubernetes);
const group: EksNodegroup = {
  name: "old",
  amiType: "AL2_x86_64",
  releaseVersion: "1.32.9-20251120",
  version: "1.32",
  desiredSize: 1,
  status: "ACTIVE",
};

describe("the nodes of a cluster whose Kubernetes API shows none", () => {
  it("are those that its node groups want, in part", () => {
    const read = nodesOrNodegroups(unread, seen([group, { ...group, name: "none", desiredSize: 0 }], eks));
    expect(read).toEqual({
      seen: "partial",
      value: [
        {
          name: "old (1 of 1)",
          kubeletVersion: "v1.32",
          kernelVersion: "5.10 (by AL2_x86_64 1.32.9-20251120)",
          osImage: "AL2_x86_64",
          containerRuntimeVersion: "containerd://1 (by AL2_x86_64 1.32.9-20251120)",
          os: "linux",
          compute: null,
          pool: "old",
          nodeArgs: null,
          labels: {},
        },
      ],
      why: "timeout",
      detail: "nodes are inferred from the EKS node groups, because no answer within 15 s",
      source: eks,
    });
  });

  it.each([
    ["an image of their own", { amiType: "CUSTOM", releaseVersion: "ami-1" }, "linux"],
    [
      "a Kubernetes version that the table does not know",
      { amiType: "AL2023_x86_64_STANDARD", version: "1.40" },
      "linux",
    ],
    ["Windows", { amiType: "WINDOWS_CORE_2022_x86_64", version: "1.35" }, "windows"],
  ])("have, with %s, no assumed kernel and no assumed containerd", (_name, change, os) => {
    const read = nodesOrNodegroups(unread, seen([{ ...group, ...change }], eks));
    expect(read.seen === false ? [] : read.value).toMatchObject([
      { kernelVersion: "", containerRuntimeVersion: "", os },
    ]);
  });

  it.each([
    ["are unread too", notSeen("forbidden", "denied", eks)],
    ["are none", seen<EksNodegroup[]>([], eks)],
  ])("stay unread where the node groups %s", (_name, nodegroups) => {
    expect(nodesOrNodegroups(unread, nodegroups)).toEqual(unread);
  });

  it.each([
    ["whole", seen<NodeFacts[]>([], kubernetes)],
    ["in part", partlySeen<NodeFacts[]>([], "timeout", "page 2", kubernetes)],
  ])("are its own where they were seen %s", (_name, nodes) => {
    expect(nodesOrNodegroups(nodes, seen([group], eks))).toBe(nodes);
  });
});
