import { describe, expect, it } from "vitest";
import { containerRuntime } from "#src/checks/container-runtime/check.ts";
import { forbiddenList } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "container-runtime";

describe(ID, () => {
  it("blocks kubelet 1.38 where containerd stays", async () => {
    expect(await judgeManifests(containerRuntime, `${ID}/kubeadm-containerd-1`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "1 node on containerd 1.x, which kubelet 1.38 refuses (planned)",
        detail:
          "kubeadm-containerd-1: Ubuntu 22.04.5 LTS (1 node: containerd://1.7.28). The removal was planned for 1.36, then 1.37, and now stands at 1.38; kubelets before that run with containerd 1.x. containerd 1.7 gets no more fixes since September 2026.",
        evidence: [
          said(
            `${ID}/kubeadm-containerd-1/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.containerRuntimeVersion",
            "containerd://1.7.28",
          ),
        ],
        fix: "Upgrade containerd to 2.x on 1 node before kubelet 1.38.",
        blocksFrom: { version: "1.38", component: "kubelet", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["containerd1-1.38", "containerd1-still-runs"],
        fingerprint: `${ID}/manifests:kubeadm-containerd-1/containerd-1`,
      },
    ]);
  });

  it("warns where a new node image brings containerd 2", async () => {
    expect(await judgeManifests(containerRuntime, `${ID}/eks-nodegroup`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "2 nodes on containerd 1.x; a new node image brings 2.x",
        detail:
          "eks-nodegroup: workers (1 node: containerd://1.7.28) and workers-al2 (1 node: containerd://1.7.29). Kubelet 1.38 no longer starts with containerd 1.x (planned). These pools get a new image when they are upgraded. Amazon Linux 2 has none from 1.33 on and must be replaced.",
        evidence: [
          said(
            `${ID}/eks-nodegroup/nodes.yaml: nodes`,
            "Node ip-10-0-1-11.eu-west-1.compute.internal status.nodeInfo.containerRuntimeVersion",
            "containerd://1.7.28",
          ),
          said(
            `${ID}/eks-nodegroup/nodes.yaml: nodes`,
            "Node ip-10-0-2-12.eu-west-1.compute.internal status.nodeInfo.containerRuntimeVersion",
            "containerd://1.7.29",
          ),
        ],
        fix: "Move workers and workers-al2 to a current image before kubelet 1.38.",
        subjects: ["ip-10-0-1-11.eu-west-1.compute.internal", "ip-10-0-2-12.eu-west-1.compute.internal"],
        subjectCount: 2,
        facts: ["containerd1-1.38"],
        fingerprint: `${ID}/manifests:eks-nodegroup/containerd-1/new-image`,
      },
    ]);
  });

  it("warns where the upgrade itself brings containerd 2", async () => {
    expect(await judgeManifests(containerRuntime, `${ID}/k3s`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "2 nodes on containerd 1.x; the upgrade itself brings 2.x",
        detail:
          "k3s: Ubuntu 22.04.5 LTS (2 nodes: containerd://1.7.23-k3s2). Kubelet 1.38 no longer starts with containerd 1.x (planned). k3s ships containerd with the kubelet, so it moves along.",
        evidence: [
          said(
            `${ID}/k3s/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.containerRuntimeVersion",
            "containerd://1.7.23-k3s2",
          ),
        ],
        fix: "Upgrade k3s as usual, and check the version of containerd afterwards. Nothing is to be done by hand.",
        subjects: ["node-a", "node-b"],
        subjectCount: 2,
        facts: ["containerd1-1.38"],
        fingerprint: `${ID}/manifests:k3s/containerd-1/new-image`,
      },
    ]);
  });

  it("is unknown where a node reports no runtime", async () => {
    expect(await judgeManifests(containerRuntime, `${ID}/runtime-missing`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "The container runtime of 1 node is unknown",
        detail:
          "runtime-missing: kubelet 1.38 no longer starts with containerd 1.x (planned). Reason: 1 node reports no runtime version.",
        evidence: [said(`${ID}/runtime-missing/nodes.yaml: nodes`, undefined, "not-requested")],
        fix: "Find the runtime of 1 node: kubectl get nodes -o wide shows what each node reports.",
        blocksFrom: { version: "1.38", component: "kubelet", certainty: "planned" },
        subjects: ["node-b"],
        subjectCount: 1,
        facts: ["containerd1-1.38"],
        fingerprint: `${ID}/manifests:runtime-missing/unknown`,
      },
    ]);
  });

  it("is unknown where the nodes are forbidden", async () => {
    expect(
      await judgeManifests(containerRuntime, `${ID}/kubeadm-containerd-1`, {
        change: forbiddenList("nodes"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "The container runtimes are unknown",
        detail:
          "kubeadm-containerd-1: kubelet 1.38 no longer starts with containerd 1.x (planned). Not read: forbidden: nodes is forbidden.",
        evidence: [said("nodes", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor list nodes, or add the nodes to the dump. proxy-audit doctor names what is missing.",
        blocksFrom: { version: "1.38", component: "kubelet", certainty: "planned" },
        facts: ["containerd1-1.38"],
        fingerprint: `${ID}/manifests:kubeadm-containerd-1/unknown`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "eks-hybrid",
      "blocks a hybrid node, whose image the customer makes",
      ["warning upgrade from 1.38: 1 node on containerd 1.x, which kubelet 1.38 refuses (planned)"],
    ],
    [
      "already-at-1.38",
      "looks to the next kubelet where one of 1.38 runs with containerd 1.x",
      ["warning upgrade from 1.39: 2 nodes on containerd 1.x, which kubelet 1.39 refuses (estimated)"],
    ],
    [
      "containerd-2-and-cri-o",
      "passes with containerd 2 and CRI-O",
      ["pass upgrade: No node runs containerd 1.x"],
    ],
    [
      "fargate-only",
      "stays silent about the provider's own nodes",
      ["info upgrade: No node here has a container runtime of yours"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(containerRuntime, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
