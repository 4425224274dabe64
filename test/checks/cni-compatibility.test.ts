import { describe, expect, it } from "vitest";
import { cniCompatibility } from "#src/checks/cni-compatibility/check.ts";
import { CNI_RULES } from "#src/checks/cni-compatibility/rules.ts";
import { notSeen } from "#src/model/observed.ts";
import { factById } from "#src/timeline/facts.ts";
import { judgeManifests } from "./judge-manifests.ts";

const ID = "cni-compatibility";

describe("cni-compatibility", () => {
  it("warns before a migration about a VPC CNI that breaks ClusterIPs under nftables", async () => {
    expect(await judgeManifests(cniCompatibility, `${ID}/vpc-cni-too-old`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "VPC CNI 1.20.4 breaks ClusterIPs of pods on secondary interfaces under nftables kube-proxy",
        detail:
          "vpc-cni-too-old: DaemonSet kube-system/aws-node. VPC CNI 1.20.4 is older than 1.23.0 and does SNAT itself (AWS_VPC_K8S_CNI_EXTERNALSNAT is not true). With kube-proxy in nftables mode, pods whose address is on a secondary network interface cannot reach ClusterIPs: a part of the pods of each node fails, the others work. It does not hurt while kube-proxy runs its present mode.",
        evidence: [
          {
            source: { kind: "manifest", ref: "daemonsets", at: "" },
            path: "DaemonSet kube-system/aws-node image of aws-node",
            excerpt: "602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni:v1.20.4-eksbuild.1",
          },
          {
            source: { kind: "manifest", ref: "daemonsets", at: "" },
            path: "DaemonSet kube-system/aws-node env AWS_VPC_K8S_CNI_EXTERNALSNAT",
            excerpt: "not set",
          },
        ],
        fix: "Update the VPC CNI to 1.23.0 or newer, with network policy agent 1.4.1 or newer: aws eks update-addon --cluster-name vpc-cni-too-old --addon-name vpc-cni --addon-version VERSION (VERSION from: aws eks describe-addon-versions --addon-name vpc-cni).",
        facts: ["vpc-cni-nftables"],
        fingerprint: `${ID}/manifests:vpc-cni-too-old/vpc-cni-before-1.23`,
      },
    ]);
  });

  it.each<[string, string[]]>([
    ["vpc-cni-running-nftables", ["warning hygiene vpc-cni-before-1.23"]],
    ["vpc-cni-external-snat", ["pass migration none"]],
    ["vpc-cni-current", ["pass migration none"]],
    ["vpc-cni-old-agent", ["warning hygiene vpc-cni-old-agent"]],
    ["vpc-cni-calico-ebpf", ["warning hygiene vpc-cni-calico-ebpf"]],
    ["vpc-cni-sgp-standard", ["info migration vpc-cni-sgp-standard"]],
    ["vpc-cni-digest", ["unknown migration undecided/vpc-cni-before-1.23"]],
    ["bottlerocket-network-policy", ["warning migration bottlerocket-network-policy"]],
    ["calico-3.28", ["warning migration calico-before-3.29"]],
    ["calico-must-switch", ["warning migration calico-iptables-beside-nftables"]],
    ["calico-nftables-matches", ["pass migration none"]],
    ["calico-nftables-beside-iptables", ["warning hygiene calico-nftables-beside-iptables"]],
    [
      "calico-default-unknown",
      ["unknown migration undecided/calico-iptables-beside-nftables,calico-nftables-beside-iptables"],
    ],
    [
      "calico-felix-unread",
      ["unknown migration undecided/calico-iptables-beside-nftables,calico-nftables-beside-iptables"],
    ],
    ["flannel-iptables", ["info migration flannel-iptables"]],
    ["flannel-nftables", ["pass migration none"]],
    ["cilium-partial", ["warning migration cilium-partial"]],
    ["cilium-beside-kube-proxy", ["info migration cilium-beside-kube-proxy"]],
    ["cilium-replaces", ["pass migration replaced"]],
    ["azure-npm", ["warning hygiene azure-npm-ipvs"]],
    ["no-known-cni", ["unknown migration not-recognised"]],
  ])("of %s: %s", async (folder, expected) => {
    const found = await judgeManifests(cniCompatibility, `${ID}/${folder}`);
    expect(
      found.map(({ status, about, fingerprint }) =>
        [status, about, fingerprint.split("/").slice(2).join("/")].join(" "),
      ),
    ).toEqual(expected);
  });

  it("becomes part of the upgrade where the default will bring nftables", async () => {
    const [found] = await judgeManifests(cniCompatibility, `${ID}/calico-must-switch`);
    expect(found?.upgradeFrom).toEqual({ version: "1.40", certainty: "planned" });
  });

  it("is unknown where the node images that decide about Bottlerocket were not read", async () => {
    const found = await judgeManifests(cniCompatibility, `${ID}/bottlerocket-network-policy`, {
      change: (evidence) => ({
        ...evidence,
        nodes: notSeen("forbidden", "nodes is forbidden", evidence.nodes.source),
      }),
    });
    expect(found.map(({ status, title, detail }) => [status, title, detail])).toEqual([
      [
        "unknown",
        "Whether Amazon VPC CNI goes with nftables kube-proxy is unknown",
        "bottlerocket-network-policy: what decides about bottlerocket-network-policy was not read. Not read: forbidden: nodes is forbidden.",
      ],
    ]);
  });
});

describe("the table of conflicts", () => {
  it.each(CNI_RULES.map((rule) => [rule.id, rule] as const))("%s has a source and a date", (_, rule) => {
    const fact = factById(rule.fact);
    expect(fact?.source).toMatch(/\S/);
    expect(fact?.checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each(CNI_RULES.map((rule) => [rule.id, rule] as const))("%s fits a finding", (_, rule) => {
    expect(rule.title.length).toBeLessThanOrEqual(140);
    expect(rule.detail.length).toBeLessThanOrEqual(1_200);
  });
});
