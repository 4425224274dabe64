import { describe, expect, it } from "vitest";
import { strictArp } from "#src/checks/strict-arp/check.ts";
import { notSeen } from "#src/model/observed.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "strict-arp";

describe("strict-arp", () => {
  it("warns today where ipvs runs beside MetalLB without strictARP", async () => {
    expect(await judgeManifests(strictArp, `${ID}/metallb-missing`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "warning",
        title: "strictARP is not set, so every node answers ARP for the addresses that MetalLB announces",
        detail:
          "metallb-missing: DaemonSet kube-system/kube-proxy runs ipvs mode without strictARP. Each node holds Services' addresses on kube-ipvs0 and answers ARP for them, so traffic can reach a node that MetalLB did not choose. Leaving ipvs mode ends the problem: MetalLB works with nftables and iptables and needs neither ipvs nor strictARP there.",
        evidence: [
          {
            source: {
              kind: "manifest",
              ref: `${ID}/metallb-missing/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
              at: "",
            },
            path: "DaemonSet kube-system/kube-proxy ipvs.strictARP",
            excerpt: "not set",
          },
          {
            source: { kind: "manifest", ref: "daemonsets", at: "" },
            path: "DaemonSet metallb-system/speaker",
            excerpt: "speaker",
          },
          {
            source: { kind: "manifest", ref: `${ID}/metallb-missing/l2.yaml: l2advertisements`, at: "" },
            path: "L2Advertisement metallb-system/example",
            excerpt: "example",
          },
        ],
        fix: "Until kube-proxy leaves ipvs mode, set ipvs: {strictARP: true} and restart kube-proxy node by node. Where: beside the mode, in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        subjects: ["DaemonSet metallb-system/speaker"],
        subjectCount: 1,
        facts: ["strict-arp", "kube-ipvs0-addresses"],
        fingerprint: `${ID}/manifests:metallb-missing/missing`,
      },
    ]);
  });

  it("never advises the EKS add-on to set strictARP", async () => {
    const [finding] = await judgeManifests(strictArp, `${ID}/metallb-missing-eks`);
    expect(finding?.fix).toBe("Move kube-proxy to nftables (the EKS add-on has no setting for strictARP).");
  });

  it("does not take a MetalLB without its custom kinds for one that announces nothing", async () => {
    const source = { kind: "kubernetes", ref: "/apis/metallb.io/v1beta1/l2advertisements", at: "" } as const;
    const findings = await judgeManifests(strictArp, `${ID}/metallb-kinds-unread`, {
      change: (evidence) => ({
        ...evidence,
        customKinds: { ...evidence.customKinds, l2Advertisements: notSeen("absent", "not found", source) },
      }),
    });
    expect(outcomesOf(findings)).toEqual(["unknown migration announcers-unread"]);
  });

  it.each([
    ["metallb-set", ["info migration set"]],
    ["metallb-bgp", ["pass migration no-announcer"]],
    ["metallb-kinds-unread", ["unknown migration announcers-unread"]],
    ["kube-vip-missing", ["warning hygiene missing"]],
    ["kube-vip-control-plane", ["info migration control-plane-only"]],
    ["kube-vip-bgp", ["pass migration no-announcer"]],
    ["metallb-and-kube-vip", ["info migration set"]],
    ["ipvs-alone", ["pass migration no-announcer"]],
    ["ipvs-deployments-unread", ["unknown migration announcers-unread"]],
    ["iptables-leftover", ["pass migration not-ipvs"]],
    ["nftables", ["pass migration not-ipvs"]],
    ["replaced", ["pass migration replaced"]],
    ["mode-unknown", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(strictArp, `${ID}/${folder}`))).toEqual(outcomes);
  });
});
