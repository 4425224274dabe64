import { describe, expect, it } from "vitest";
import { deadIpvsConfig } from "#src/checks/dead-ipvs-config/check.ts";
import { forbiddenConfigMap } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "dead-ipvs-config";

describe(ID, () => {
  it("tells of settings that stayed behind", async () => {
    expect(await judgeManifests(deadIpvsConfig, `${ID}/leftovers`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "ipvs settings without effect: ipvs.scheduler: lc and ipvs.strictARP: true",
        detail:
          "leftovers does not run kube-proxy in ipvs mode there. The settings do nothing and are not even validated, but they mislead whoever reads them.",
        evidence: [
          said(
            `${ID}/leftovers/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.scheduler",
            "lc",
          ),
          said(
            `${ID}/leftovers/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.strictARP",
            "true",
          ),
        ],
        fix: "Remove the ipvs settings from kube-proxy's configuration. It is kept in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        facts: [],
        fingerprint: `${ID}/manifests:leftovers/ipvs.scheduler: lc;ipvs.strictARP: true`,
      },
    ]);
  });

  it("tells of flags that --config overrides", async () => {
    expect(await judgeManifests(deadIpvsConfig, `${ID}/flags-beside-config`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "ipvs settings without effect: --proxy-mode=ipvs and --ipvs-scheduler=lc",
        detail:
          "flags-beside-config does not run kube-proxy in ipvs mode there. The settings do nothing and are not even validated, but they mislead whoever reads them.",
        evidence: [
          said(
            `${ID}/flags-beside-config/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy args",
            "--proxy-mode=ipvs",
          ),
          said(
            `${ID}/flags-beside-config/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy args",
            "--ipvs-scheduler=lc",
          ),
        ],
        fix: "Remove the ipvs settings from kube-proxy's configuration. It is kept in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        facts: ["flags-ignored-with-config"],
        fingerprint: `${ID}/manifests:flags-beside-config/--ipvs-scheduler=lc;--proxy-mode=ipvs`,
      },
    ]);
  });

  it("tells of a ConfigMap that no kube-proxy mounts", async () => {
    expect(await judgeManifests(deadIpvsConfig, `${ID}/cilium-leftover-configmap`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title:
          "ipvs settings without effect: ConfigMap kube-system/kube-proxy (mode: ipvs, mounted by no kube-proxy)",
        detail:
          "cilium-leftover-configmap does not run kube-proxy in ipvs mode there. The settings do nothing and are not even validated, but they mislead whoever reads them. On a kubeadm cluster, an upgrade makes kube-proxy again from a ConfigMap that was left behind.",
        evidence: [
          said(
            `${ID}/cilium-leftover-configmap/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Delete the ConfigMap that no kube-proxy mounts, once you are sure that kube-proxy is not to come back.",
        facts: [],
        fingerprint: `${ID}/manifests:cilium-leftover-configmap/ConfigMap kube-system/kube-proxy (mode: ipvs, mounted by no kube-proxy)`,
      },
    ]);
  });

  it("says to keep the ConfigMap that kube-router mounts", async () => {
    expect(await judgeManifests(deadIpvsConfig, `${ID}/kube-router`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title:
          "ipvs settings without effect: ConfigMap kube-system/kube-proxy (mode: ipvs, mounted by no kube-proxy)",
        detail:
          "kube-router does not run kube-proxy in ipvs mode there. The settings do nothing and are not even validated, but they mislead whoever reads them. On a kubeadm cluster, an upgrade makes kube-proxy again from a ConfigMap that was left behind.",
        evidence: [
          said(
            `${ID}/kube-router/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Take the ipvs configuration out of ConfigMap kube-proxy, but keep the ConfigMap. kube-router mounts it for its kubeconfig.",
        facts: [],
        fingerprint: `${ID}/manifests:kube-router/ConfigMap kube-system/kube-proxy (mode: ipvs, mounted by no kube-proxy)`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(deadIpvsConfig, `${ID}/leftovers`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "unknown",
        title: "Whether ipvs settings are left over is unknown",
        detail:
          'leftovers: an ipvs setting is dead only where another mode runs. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        fingerprint: `${ID}/manifests:leftovers/unknown`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    ["ipvs-runs", "passes where ipvs runs", ["pass hygiene: No ipvs setting is left over"]],
    [
      "defaults-written-out",
      "stays silent about defaults that an installer wrote out",
      ["pass hygiene: No ipvs setting is left over"],
    ],
    [
      "eks-sync-periods",
      "stays silent about the sync periods that EKS always sets",
      ["pass hygiene: No ipvs setting is left over"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(deadIpvsConfig, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
