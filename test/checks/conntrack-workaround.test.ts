import { describe, expect, it } from "vitest";
import { conntrackWorkaround } from "#src/checks/conntrack-workaround/check.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "conntrack-workaround";

describe("conntrack-workaround", () => {
  it("proves by kube-proxy's counter that invalid packets are dropped today", async () => {
    expect(await judgeManifests(conntrackWorkaround, `${ID}/dropping`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "Invalid packets are being dropped, and nftables mode stops dropping them",
        detail:
          'dropping runs iptables mode, with kernels before 6.1 on Ubuntu 22.04.5 LTS (1 node: 5.15.0-43-generic) and conntrack.tcpBeLiberal not set. Under nftables a packet outside the TCP window can reach a pod untranslated, and the pod resets the connection ("connection reset by peer", mostly in long transfers). kube-proxy has dropped 14 packets this way: the cluster depends on it.',
        evidence: [
          {
            source: { kind: "prometheus", ref: "query", at: "" },
            path: "worker-1:10249 kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
            excerpt: "14",
          },
          {
            source: { kind: "manifest", ref: `${ID}/dropping/nodes.yaml: nodes`, at: "" },
            path: "Node worker-1 status.nodeInfo.kernelVersion",
            excerpt: "5.15.0-43-generic",
          },
          {
            source: {
              kind: "manifest",
              ref: `${ID}/dropping/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
              at: "",
            },
            path: "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            excerpt: "mode: iptables",
          },
        ],
        fix: "Before moving to nftables, set conntrack: {tcpBeLiberal: true} in kube-proxy's configuration (1.29 or newer), or give 1 node kernel 6.1 or newer. Where: beside the mode, in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        subjects: ["worker-1"],
        subjectCount: 1,
        facts: ["conntrack-workaround", "invalid-drop-iptables-only"],
        fingerprint: `${ID}/manifests:dropping/dropping`,
      },
    ]);
  });

  it("says in ipvs mode that use cannot be measured, and does not take the missing counter for zero", async () => {
    const [finding] = await judgeManifests(conntrackWorkaround, `${ID}/ipvs-old-kernels`);
    expect(finding?.status).toBe("warning");
    expect(finding?.detail).toContain(
      "How often it would happen cannot be measured in this mode: only iptables mode drops and counts such packets.",
    );
  });

  it("sends EKS to the node image or a sysctl: the add-on has no conntrack settings", async () => {
    const [finding] = await judgeManifests(conntrackWorkaround, `${ID}/eks`);
    expect(finding?.fix).toBe(
      "Before moving to nftables, move 1 node to an image with kernel 6.1 or newer (AL2023), or set the sysctl net.netfilter.nf_conntrack_tcp_be_liberal=1 in the launch template: the EKS add-on has no setting for it.",
    );
  });

  it.each([
    ["iptables-old-kernels", ["warning migration old-kernels"]],
    ["unset-old-kernels", ["warning migration old-kernels from 1.40"]],
    ["nothing-dropped", ["info migration old-kernels"]],
    ["liberal", ["pass migration liberal"]],
    ["liberal-false", ["warning migration old-kernels"]],
    ["new-kernels", ["pass migration new-kernels"]],
    ["fargate-beside", ["pass migration new-kernels"]],
    ["nodes-unread", ["unknown migration kernels-unknown"]],
    ["kernel-not-reported", ["unknown migration kernels-unknown"]],
    ["nftables", ["info hygiene nftables"]],
    ["replaced", ["pass migration replaced"]],
    ["mode-unknown", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(conntrackWorkaround, `${ID}/${folder}`))).toEqual(outcomes);
  });
});
