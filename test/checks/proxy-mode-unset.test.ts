import { describe, expect, it } from "vitest";
import { proxyModeUnset } from "#src/checks/proxy-mode-unset/check.ts";
import { forbiddenConfigMap, forbiddenList } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "proxy-mode-unset";

describe(ID, () => {
  it("blocks from 1.40 where a node cannot run the default to come", async () => {
    expect(await judgeManifests(proxyModeUnset, `${ID}/old-kernels`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "No proxy mode is chosen, and 2 nodes cannot run the default of 1.40 (planned)",
        detail:
          "old-kernels: DaemonSet kube-system/kube-proxy sets no mode. With kube-proxy 1.40 the default becomes nftables (planned), which needs kernel 5.13 and has no fallback: kube-proxy will not start on Ubuntu 20.04.6 LTS (2 nodes: 5.4.0-216-generic).",
        evidence: [
          said(
            `${ID}/old-kernels/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode is not set",
          ),
          said(
            `${ID}/old-kernels/nodes.yaml: nodes`,
            "Node node-a status.nodeInfo.kernelVersion",
            "5.4.0-216-generic",
          ),
        ],
        fix: "Set the mode to iptables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: iptables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        subjects: ["node-a", "node-c"],
        subjectCount: 2,
        facts: ["default-nftables-1.40", "nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:old-kernels/unset/old-kernel`,
      },
    ]);
  });

  it("warns of the change where every kernel can run it", async () => {
    expect(await judgeManifests(proxyModeUnset, `${ID}/kernels-suffice`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "No proxy mode is chosen: with kube-proxy 1.40 it changes from iptables to nftables (planned)",
        detail:
          "kernels-suffice: DaemonSet kube-system/kube-proxy sets no mode. The default of the running version applies. Every node's kernel can run nftables, so kube-proxy will start, but NodePort, localhost and firewall behaviour change with the mode.",
        evidence: [
          said(
            `${ID}/kernels-suffice/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode is not set",
          ),
        ],
        fix: "Choose iptables or nftables yourself before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: iptables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        upgradeFrom: { version: "1.40", certainty: "planned" },
        facts: ["default-nftables-1.40", "nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:kernels-suffice/unset`,
      },
    ]);
  });

  it("is unknown where a node reports no kernel", async () => {
    expect(await judgeManifests(proxyModeUnset, `${ID}/kernel-missing`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "No proxy mode is chosen, and the node kernels that decide about 1.40 are unknown",
        detail:
          "kernel-missing: DaemonSet kube-system/kube-proxy sets no mode. With kube-proxy 1.40 the default becomes nftables (planned), which needs kernel 5.13 on every node. Reason: 1 node reports no kernel version.",
        evidence: [said(`${ID}/kernel-missing/nodes.yaml: nodes`, undefined, "not-requested")],
        fix: "Set the mode to iptables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: iptables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["default-nftables-1.40", "nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:kernel-missing/unset/unknown-kernel`,
      },
    ]);
  });

  it("is unknown where the nodes are forbidden", async () => {
    expect(
      await judgeManifests(proxyModeUnset, `${ID}/kernels-suffice`, { change: forbiddenList("nodes") }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "No proxy mode is chosen, and the node kernels that decide about 1.40 are unknown",
        detail:
          "kernels-suffice: DaemonSet kube-system/kube-proxy sets no mode. With kube-proxy 1.40 the default becomes nftables (planned), which needs kernel 5.13 on every node. Not read: forbidden: nodes is forbidden.",
        evidence: [said("nodes", undefined, "forbidden", "kubernetes")],
        fix: "Set the mode to iptables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: iptables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["default-nftables-1.40", "nftables-kernel-5.13"],
        fingerprint: `${ID}/manifests:kernels-suffice/unset/unknown-kernel`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(proxyModeUnset, `${ID}/kernels-suffice`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether a proxy mode is chosen is unknown",
        detail:
          'kernels-suffice: where none is, the default changes from iptables to nftables with kube-proxy 1.40 (planned). Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["default-nftables-1.40"],
        fingerprint: `${ID}/manifests:kernels-suffice/unknown`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "gke",
      "says who decides where the provider sets the mode",
      [
        "warning upgrade from 1.40: No proxy mode is chosen: with kube-proxy 1.40 it changes from iptables to nftables (planned)",
      ],
    ],
    [
      "already-at-1.40",
      "tells the default that runs, once it has changed",
      ["info upgrade: No proxy mode is chosen: kube-proxy 1.40 runs its default, nftables (planned)"],
    ],
    [
      "iptables-on-old-kernels",
      "passes on old kernels where iptables is chosen",
      ["pass upgrade: The proxy mode is chosen explicitly"],
    ],
    [
      "mode-in-a-comment",
      "passes where a mode stands beside one in a comment",
      ["pass upgrade: The proxy mode is chosen explicitly"],
    ],
    [
      "cilium",
      "passes where kube-proxy is replaced",
      ["pass upgrade: No kube-proxy: its default mode does not matter"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(proxyModeUnset, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
