import { describe, expect, it } from "vitest";
import { proxyMode } from "#src/checks/proxy-mode/check.ts";
import { forbiddenConfigMap, withoutAddon } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "proxy-mode";

describe(ID, () => {
  it("warns of 1.40 where the ConfigMap says ipvs", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/kubeadm-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)",
        detail:
          "kubeadm-ipvs: DaemonSet kube-system/kube-proxy is configured for ipvs. From kube-proxy 1.40 on it exits instead of starting: changes of Services and endpoints no longer reach the nodes, and on a new or rebooted node no Service works.",
        evidence: [
          said(
            `${ID}/kubeadm-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Leave ipvs for nftables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-off-1.40"],
        fingerprint: `${ID}/manifests:kubeadm-ipvs/ipvs/default/1.40`,
      },
    ]);
  });

  it("blocks today where the gate is off and the mode is ipvs", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/ipvs-gate-off`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: "kube-proxy is configured for ipvs mode, which it refuses from 1.37 on",
        detail:
          "ipvs-gate-off: DaemonSet kube-system/kube-proxy is configured for ipvs. The feature gate KubeProxyIPVS is off, which refuses ipvs as soon as kube-proxy knows the gate. From kube-proxy 1.37 on it exits instead of starting: changes of Services and endpoints no longer reach the nodes, and on a new or rebooted node no Service works.",
        evidence: [
          said(
            `${ID}/ipvs-gate-off/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Leave ipvs for nftables now. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.37", component: "kube-proxy", certainty: "released" },
        facts: ["ipvs-gate-1.37"],
        fingerprint: `${ID}/manifests:ipvs-gate-off/ipvs/false/1.37`,
      },
    ]);
  });

  it("says what comes before leaving ipvs: a newer kube-proxy and newer kernels", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/old-kube-proxy-and-kernel`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)",
        detail:
          "old-kube-proxy-and-kernel: DaemonSet kube-system/kube-proxy is configured for ipvs. From kube-proxy 1.40 on it exits instead of starting: changes of Services and endpoints no longer reach the nodes, and on a new or rebooted node no Service works.",
        evidence: [
          said(
            `${ID}/old-kube-proxy-and-kernel/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Upgrade kube-proxy to 1.33 or newer, give 1 node a kernel of 5.13 or newer, then leave ipvs for nftables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode): kubectl -n kube-system edit configmap kube-proxy: set mode: nftables in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-off-1.40"],
        fingerprint: `${ID}/manifests:old-kube-proxy-and-kernel/ipvs/default/1.40`,
      },
    ]);
  });

  it("shows both claims and stays unknown where the add-on's schema was not read", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/eks-schema-unread`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)",
        detail:
          "eks-schema-unread: DaemonSet kube-system/kube-proxy is configured for ipvs. From kube-proxy 1.40 on it exits instead of starting: changes of Services and endpoints no longer reach the nodes, and on a new or rebooted node no Service works. AWS's release notes announce the end for 1.36 (announced by the provider); KEP-5495 says 1.40 (upstream plan).",
        evidence: [
          said(
            `${ID}/eks-schema-unread/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
            "ConfigMap kube-system/kube-proxy-config data[config].mode",
            "mode: ipvs",
          ),
        ],
        fix: 'Leave ipvs for nftables before kube-proxy 1.40. Set it in the kube-proxy add-on\'s configuration values (or ConfigMap kube-system/kube-proxy-config where kube-proxy is self-managed): aws eks update-addon --cluster-name eks-schema-unread --addon-name kube-proxy --configuration-values \'{"mode":"nftables"}\'',
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-off-1.40", "eks-announcement"],
        fingerprint: `${ID}/manifests:eks-schema-unread/ipvs/default/1.40`,
      },
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether EKS's kube-proxy 1.36 still takes ipvs was not read",
        detail:
          "eks-schema-unread: AWS's release notes announce that ipvs goes with 1.36; KEP-5495 says 1.40. The add-on's configuration schema settles it. Reason: the EKS API was not asked.",
        evidence: [said("DescribeAddonConfiguration kube-proxy", undefined, "not-requested", "eks")],
        fix: "Read the add-on's configuration schema, or scan with --aws. By hand: aws eks describe-addon-configuration --addon-name kube-proxy --addon-version VERSION > schema.json (VERSION from: aws eks describe-addon-versions --addon-name kube-proxy --kubernetes-version 1.36), and give schema.json beside the cluster with --manifests.",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "announced" },
        facts: ["eks-announcement", "eks-addon-schema"],
        fingerprint: `${ID}/manifests:eks-schema-unread/eks-schema/1.36`,
      },
    ]);
  });

  it("blocks from the build whose schema drops ipvs", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/eks-schema-drops-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.36",
        detail:
          "eks-schema-drops-ipvs: DaemonSet kube-system/kube-proxy is configured for ipvs. The EKS add-on refuses the update to kube-proxy 1.36 with this mode (InvalidParameterException), and the old kube-proxy stays. The configuration schema of its build v1.36.0-eksbuild.25 does not list ipvs.",
        evidence: [
          said(
            `${ID}/eks-schema-drops-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
            "ConfigMap kube-system/kube-proxy-config data[config].mode",
            "mode: ipvs",
          ),
        ],
        fix: 'Leave ipvs for nftables before kube-proxy 1.36. Set it in the kube-proxy add-on\'s configuration values: aws eks update-addon --cluster-name eks-schema-drops-ipvs --addon-name kube-proxy --configuration-values \'{"mode":"nftables"}\'',
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        facts: ["eks-addon-schema"],
        fingerprint: `${ID}/manifests:eks-schema-drops-ipvs/ipvs/default/1.36`,
      },
    ]);
  });

  it("follows upstream where kube-proxy is no EKS add-on", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/eks-self-managed`, { change: withoutAddon })).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)",
        detail:
          "eks-self-managed: DaemonSet kube-system/kube-proxy is configured for ipvs. From kube-proxy 1.40 on it exits instead of starting: changes of Services and endpoints no longer reach the nodes, and on a new or rebooted node no Service works. kube-proxy is self-managed here (no EKS add-on), so upstream's plan applies; AWS's announcement that ipvs goes with 1.36 is about its own builds.",
        evidence: [
          said(
            `${ID}/eks-self-managed/kube-proxy.yaml: ConfigMap kube-system/kube-proxy-config`,
            "ConfigMap kube-system/kube-proxy-config data[config].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Leave ipvs for nftables before kube-proxy 1.40. Set it in ConfigMap kube-system/kube-proxy-config, key config (kube-proxy is no EKS add-on here): kubectl -n kube-system edit configmap kube-proxy-config: set mode: nftables; then kubectl -n kube-system rollout restart daemonset kube-proxy",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-off-1.40", "eks-announcement"],
        fingerprint: `${ID}/manifests:eks-self-managed/ipvs/default/1.40`,
      },
    ]);
  });

  it("is unknown where the ConfigMap is forbidden", async () => {
    expect(
      await judgeManifests(proxyMode, `${ID}/kubeadm-ipvs`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "The proxy mode of this cluster is unknown",
        detail:
          'Whether kubeadm-ipvs runs ipvs cannot be told. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission. proxy-audit doctor names it; on a node, this tells: curl -s http://127.0.0.1:10249/proxyMode",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        fingerprint: `${ID}/manifests:kubeadm-ipvs/unknown/self`,
      },
    ]);
  });

  it("is unknown where kube-proxy refuses its mode", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/refused-mode`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "kube-proxy refuses the mode it is configured for, so no mode is in force",
        detail:
          'Which mode refused-mode is to run cannot be told. Pods that run still run with what they started with. Reason: ConfigMap kube-system/kube-proxy data[config.conf].mode is "IPVS", which kube-proxy refuses.',
        evidence: [
          said(
            `${ID}/refused-mode/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: IPVS",
          ),
        ],
        fix: "Correct the mode before kube-proxy restarts. Set it in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
        fingerprint: `${ID}/manifests:refused-mode/unknown/refused`,
      },
    ]);
  });

  it("passes where the mode is iptables", async () => {
    expect(await judgeManifests(proxyMode, `${ID}/iptables`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "pass",
        title: "kube-proxy does not run in ipvs mode (iptables)",
        detail:
          "iptables: kube-proxy is configured for iptables mode. The end of ipvs mode does not touch it.",
        evidence: [
          said(
            `${ID}/iptables/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: iptables",
          ),
        ],
        facts: ["ipvs-off-1.40"],
        fingerprint: `${ID}/manifests:iptables/not-ipvs`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "ipvs-gate-on",
      "names 1.43 where the gate is on",
      ["warning upgrade from 1.43: kube-proxy runs in ipvs mode, which ends with kube-proxy 1.43 (planned)"],
    ],
    [
      "already-at-1.40",
      "is a blocker once kube-proxy is at 1.40",
      [
        "blocker upgrade from 1.40: kube-proxy is configured for ipvs mode, which it refuses from 1.40 (planned) on",
      ],
    ],
    [
      "k3s-ipvs",
      "reads ipvs from the nodes' k3s arguments",
      ["warning upgrade from 1.40: kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)"],
    ],
    [
      "kube-proxy-beside-cilium",
      "says to remove a kube-proxy that Cilium replaces",
      ["warning upgrade from 1.40: kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)"],
    ],
    [
      "eks-schema-lists-ipvs",
      "follows upstream where the add-on's schema lists ipvs",
      ["warning upgrade from 1.40: kube-proxy runs in ipvs mode, which ends with kube-proxy 1.40 (planned)"],
    ],
    [
      "pods-not-in-the-dump",
      "is unknown where other kube-proxies were not looked for",
      ["unknown upgrade from 1.40: Other kube-proxies could run in ipvs mode"],
    ],
    [
      "fargate",
      "is unknown where the provider runs kube-proxy",
      ["unknown upgrade from 1.36: The provider runs kube-proxy on the nodes, and its mode is not visible"],
    ],
    [
      "nothing-chosen",
      "passes where nobody chose a mode",
      ["pass upgrade: kube-proxy does not run in ipvs mode (no mode chosen)"],
    ],
    [
      "flag-beside-config",
      "stays silent about a flag that --config overrides",
      ["pass upgrade: kube-proxy does not run in ipvs mode (iptables)"],
    ],
    [
      "cilium-leftover-configmap",
      "stays silent about a ConfigMap that no kube-proxy mounts",
      ["pass upgrade: cilium does Services; kube-proxy's ipvs mode is not used"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(proxyMode, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
