import { describe, expect, it } from "vitest";
import { configOrigin } from "#src/checks/config-origin/check.ts";
import { withoutAddon } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "config-origin";

describe(ID, () => {
  it("names the ConfigMap that kubeadm keeps", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/kubeadm`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title:
          "The mode is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode)",
        detail:
          "kubeadm (kubeadm): kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy. What can undo a change: only what feeds an old KubeProxyConfiguration in again: kubeadm upgrade apply --config, Cluster API templates, GitOps.",
        evidence: [
          said(
            `${ID}/kubeadm/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Change the mode in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode). For nftables: kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        facts: ["kubeadm-keeps-config"],
        fingerprint: `${ID}/manifests:kubeadm/kubeadm/`,
      },
    ]);
  });

  it("names the tool that would put the old mode back", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/argocd-on-kubeadm`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title:
          "The mode is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode)",
        detail:
          "argocd-on-kubeadm (kubeadm): kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy. What can undo a change: only what feeds an old KubeProxyConfiguration in again: kubeadm upgrade apply --config, Cluster API templates, GitOps. Argo CD wrote the ConfigMap: change it there, or it comes back.",
        evidence: [
          said(
            `${ID}/argocd-on-kubeadm/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Change the mode in what Argo CD applies, not in the cluster. The old mode comes back otherwise.",
        facts: ["kubeadm-keeps-config"],
        fingerprint: `${ID}/manifests:argocd-on-kubeadm/kubeadm/Argo CD`,
      },
    ]);
  });

  it("names the add-on's configuration values", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/eks-addon`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title: "The mode is set in the kube-proxy add-on's configuration values",
        detail:
          'eks-addon (Amazon EKS): aws eks update-addon --cluster-name eks-addon --addon-name kube-proxy --configuration-values \'{"mode":"nftables"}\'. What can undo a change: an add-on update with --resolve-conflicts OVERWRITE puts the add-on\'s own values back.',
        evidence: [
          said(
            `${ID}/eks-addon/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
            "ConfigMap kube-system/kube-proxy-config data[config].mode",
            "mode: ipvs",
          ),
        ],
        fix: 'Change the mode in the kube-proxy add-on\'s configuration values. For nftables: aws eks update-addon --cluster-name eks-addon --addon-name kube-proxy --configuration-values \'{"mode":"nftables"}\'',
        facts: [],
        fingerprint: `${ID}/manifests:eks-addon/eks/`,
      },
    ]);
  });

  it("names the ConfigMap where kube-proxy is no EKS add-on", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/eks-self-managed`, { change: withoutAddon })).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title:
          "The mode is set in ConfigMap kube-system/kube-proxy-config, key config (kube-proxy is no EKS add-on here)",
        detail:
          "eks-self-managed (Amazon EKS): kubectl -n kube-system edit configmap kube-proxy-config: set mode: nftables; then kubectl -n kube-system rollout restart daemonset kube-proxy.",
        evidence: [
          said(
            `${ID}/eks-self-managed/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
            "ConfigMap kube-system/kube-proxy-config data[config].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Change the mode in ConfigMap kube-system/kube-proxy-config, key config (kube-proxy is no EKS add-on here). For nftables: kubectl -n kube-system edit configmap kube-proxy-config: set mode: nftables; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        facts: [],
        fingerprint: `${ID}/manifests:eks-self-managed/eks/`,
      },
    ]);
  });

  it("warns where the provider forbids the change", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/tke-ipvs`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "Tencent TKE does not let you change the mode of an existing cluster",
        detail:
          "tke-ipvs (Tencent TKE): create a new cluster in nftables mode and move the workloads, or ask Tencent for a way.",
        evidence: [
          said(
            `${ID}/tke-ipvs/kube-proxy.yaml: daemonsets`,
            "DaemonSet kube-system/kube-proxy args",
            "--proxy-mode=ipvs",
          ),
        ],
        fix: "Plan a new cluster in another mode. Tencent TKE: create a new cluster in nftables mode and move the workloads, or ask Tencent for a way.",
        facts: [],
        fingerprint: `${ID}/manifests:tke-ipvs/tke/`,
      },
    ]);
  });

  it("is unknown where nothing shows what made the cluster", async () => {
    expect(await judgeManifests(configOrigin, `${ID}/not-recognised`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "unknown",
        title: "What made this cluster was not recognised, so where the mode lasts is unknown",
        detail:
          "not-recognised: a change of the mode lasts only where the tool that made the cluster keeps it. Reason: no known provider's marks were found.",
        evidence: [said(`${ID}/not-recognised/kube-proxy.yaml: daemonsets`, undefined, "not-requested")],
        fix: "Find out what writes kube-proxy's ConfigMap or arguments (Helm, GitOps, an installer) before you change it.",
        fingerprint: `${ID}/manifests:not-recognised/unknown`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "helm-not-recognised",
      "names Helm where only its label is known",
      ["info migration: The mode is set by Helm"],
    ],
    ["cilium", "passes where there is no mode to set", ["pass migration: There is no proxy mode to set"]],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(configOrigin, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
