import { describe, expect, it } from "vitest";
import { nodeKernel } from "#src/checks/node-kernel/check.ts";
import { forbiddenConfigMap, forbiddenList } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "node-kernel";

describe(ID, () => {
  it("blocks where nftables runs on an old kernel, and tells what kubeadm thinks", async () => {
    expect(await judgeManifests(nodeKernel, `${ID}/nftables-on-old-kernel`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: "1 node has a kernel below 5.13, too old for nftables mode",
        detail:
          "nftables-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic): kube-proxy in nftables mode exits there from kube-proxy 1.33 on. kube-proxy compares the version number: what a vendor has ported back does not count.",
        evidence: [
          said(
            `${ID}/nftables-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Move 1 node to an image with kernel 5.13 or newer, or set iptables until then. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: iptables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.33", component: "kube-proxy", certainty: "released" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["nftables-kernel-5.13", "nftables-kernel-not-enforced-1.32"],
        fingerprint: `${ID}/manifests:nftables-on-old-kernel/below-5.13/nftables`,
      },
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
        detail:
          "nftables-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic). kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
        evidence: [
          said(
            `${ID}/nftables-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
        blocksFrom: { version: "1.39", component: "kubeadm", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["kubeadm-kernels-1.39"],
        fingerprint: `${ID}/manifests:nftables-on-old-kernel/kubeadm/1.39`,
      },
    ]);
  });

  it("warns before leaving ipvs, with the way over iptables", async () => {
    expect(await judgeManifests(nodeKernel, `${ID}/ipvs-on-old-kernel`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "1 node has a kernel below 5.13, too old for nftables mode",
        detail:
          "ipvs-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic): the mode configured here does not need more, but nftables mode cannot run there. kube-proxy compares the version number: what a vendor has ported back does not count.",
        evidence: [
          said(
            `${ID}/ipvs-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Move 1 node to an image with kernel 5.13 or newer before leaving ipvs for nftables. If the date comes first, iptables mode works on these kernels: after ipvs to iptables, run kube-proxy --cleanup or reboot each node, since ipvs leftovers are not removed by themselves.",
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["nftables-kernel-5.13", "ipvs-to-iptables-cleanup"],
        fingerprint: `${ID}/manifests:ipvs-on-old-kernel/below-5.13/ipvs`,
      },
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
        detail:
          "ipvs-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic). kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
        evidence: [
          said(
            `${ID}/ipvs-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
        blocksFrom: { version: "1.39", component: "kubeadm", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["kubeadm-kernels-1.39"],
        fingerprint: `${ID}/manifests:ipvs-on-old-kernel/kubeadm/1.39`,
      },
    ]);
  });

  it("warns from 1.40 on where no mode is chosen, and leaves the block to proxy-mode-unset", async () => {
    expect(await judgeManifests(nodeKernel, `${ID}/unset-on-old-kernel`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "1 node has a kernel below 5.13, too old for nftables mode",
        detail:
          "unset-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic): no mode is chosen, and kube-proxy will not start there once nftables is the default (planned). kube-proxy compares the version number: what a vendor has ported back does not count.",
        evidence: [
          said(
            `${ID}/unset-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Move 1 node to an image with kernel 5.13 or newer or set iptables before kube-proxy 1.40.",
        upgradeFrom: { version: "1.40", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["nftables-kernel-5.13", "default-nftables-1.40"],
        fingerprint: `${ID}/manifests:unset-on-old-kernel/below-5.13/unset`,
      },
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
        detail:
          "unset-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic). kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
        evidence: [
          said(
            `${ID}/unset-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
        blocksFrom: { version: "1.39", component: "kubeadm", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["kubeadm-kernels-1.39"],
        fingerprint: `${ID}/manifests:unset-on-old-kernel/kubeadm/1.39`,
      },
    ]);
  });

  it("is unknown where a node reports no kernel", async () => {
    expect(await judgeManifests(nodeKernel, `${ID}/kernel-missing`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "The kernel of 1 node is unknown",
        detail:
          "kernel-missing: nftables mode needs kernel 5.13 or newer on every node. Reason: 1 node reports no kernel version.",
        evidence: [said(`${ID}/kernel-missing/nodes.yaml: nodes`, undefined, "not-requested")],
        fix: "Find the kernel of 1 node: kubectl get nodes -o wide shows what each node reports.",
        blocksFrom: { version: "1.33", component: "kube-proxy", certainty: "released" },
        subjects: ["node-b"],
        subjectCount: 1,
        facts: ["nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:kernel-missing/unknown`,
      },
    ]);
  });

  it("is unknown where the nodes are forbidden", async () => {
    expect(await judgeManifests(nodeKernel, `${ID}/new-kernels`, { change: forbiddenList("nodes") })).toEqual(
      [
        {
          check: ID,
          about: "upgrade",
          status: "unknown",
          title: "The node kernels are unknown",
          detail:
            "new-kernels: nftables mode needs kernel 5.13 or newer on every node. Not read: forbidden: nodes is forbidden.",
          evidence: [said("nodes", undefined, "forbidden", "kubernetes")],
          fix: "Give the auditor list nodes, or add the nodes to the dump. proxy-audit doctor names what is missing.",
          blocksFrom: { version: "1.33", component: "kube-proxy", certainty: "released" },
          facts: ["nftables-kernel-5.13"],
          fingerprint: `${ID}/manifests:new-kernels/unknown`,
        },
      ],
    );
  });

  it("does not claim what the mode needs where the mode is unknown", async () => {
    expect(
      await judgeManifests(nodeKernel, `${ID}/ipvs-on-old-kernel`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "1 node has a kernel below 5.13, too old for nftables mode",
        detail:
          "ipvs-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic): nftables mode cannot run there; whether it is configured here is unknown. kube-proxy compares the version number: what a vendor has ported back does not count.",
        evidence: [
          said(
            `${ID}/ipvs-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Move 1 node to an image with kernel 5.13 or newer before any change to nftables.",
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:ipvs-on-old-kernel/below-5.13/unknown`,
      },
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
        detail:
          "ipvs-on-old-kernel: Ubuntu 20.04.6 LTS (1 node: 5.4.0-216-generic). kubeadm warns about the kernel and goes on; a preflight run that treats warnings as errors stops. The data plane is fine: this is kubeadm's own support statement, whatever the proxy mode.",
        evidence: [
          said(
            `${ID}/ipvs-on-old-kernel/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Plan new node images before the upgrade, or read the preflight output: kubeadm upgrade plan",
        blocksFrom: { version: "1.39", component: "kubeadm", certainty: "planned" },
        subjects: ["node-a"],
        subjectCount: 1,
        facts: ["kubeadm-kernels-1.39"],
        fingerprint: `${ID}/manifests:ipvs-on-old-kernel/kubeadm/1.39`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "eks-ipvs-amazon-linux-2",
      "names the images that follow Amazon Linux 2",
      ["warning migration: 2 nodes have a kernel below 5.13, too old for nftables mode"],
    ],
    [
      "nftables-check-not-enforced",
      "warns of 1.33 where the check is not enforced yet",
      [
        "warning upgrade from 1.33: 1 node has a kernel below 5.13, too old for nftables mode",
        "warning upgrade from 1.39: kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
      ],
    ],
    [
      "iptables-on-old-kernel",
      "only informs where iptables is configured",
      [
        "info migration: 1 node has a kernel below 5.13, too old for nftables mode",
        "warning upgrade from 1.39: kubeadm's preflight objects to the kernel of 1 node from 1.39 on",
      ],
    ],
    [
      "backports-do-not-count",
      "blocks RHEL 8, whatever was ported back",
      [
        "blocker upgrade from 1.33: 1 node has a kernel below 5.13, too old for nftables mode",
        "warning upgrade from 1.32: kubeadm's preflight objects to the kernel of 1 node from 1.32 on",
      ],
    ],
    [
      "nftables-only-on-the-new-pool",
      "does not block where nftables runs on the new pool only",
      ["warning migration: 1 node has a kernel below 5.13, too old for nftables mode"],
    ],
    [
      "new-kernels",
      "passes by the number, also with the architecture after it",
      ["pass upgrade: Every kernel is 5.13 or newer (3 nodes)"],
    ],
    [
      "windows-and-fargate",
      "passes over Windows and Fargate nodes",
      ["pass upgrade: Every kernel is 5.13 or newer (1 node)"],
    ],
    [
      "cilium",
      "does not judge where kube-proxy is replaced",
      ["info upgrade: cilium replaces kube-proxy: kube-proxy's kernel requirement does not apply"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(nodeKernel, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
