import { describe, expect, it } from "vitest";
import { ipvsSettingsLost } from "#src/checks/ipvs-settings-lost/check.ts";
import { forbiddenConfigMap } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "ipvs-settings-lost";

describe(ID, () => {
  it("warns of a scheduler that no other mode has", async () => {
    expect(await judgeManifests(ipvsSettingsLost, `${ID}/least-connection`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "ipvs.scheduler: lc has no equivalent outside ipvs",
        detail:
          "least-connection: ipvs.scheduler lc: each node counted only its own connections, so it never balanced across the cluster; nftables and iptables pick a backend at random.",
        evidence: [
          said(
            `${ID}/least-connection/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.scheduler",
            "lc",
          ),
        ],
        fix: "Decide what replaces each ipvs setting before leaving ipvs. sessionAffinity: ClientIP keeps clients on one backend, internalTrafficPolicy: Local or trafficDistribution keeps traffic near, conntrack timeouts keep long-lived connections.",
        facts: ["ipvs-settings-have-no-successor"],
        fingerprint: `${ID}/manifests:least-connection/ipvs.scheduler=lc`,
      },
    ]);
  });

  it("says of each setting what it did and what replaces it", async () => {
    expect(await judgeManifests(ipvsSettingsLost, `${ID}/all-of-them`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title:
          "ipvs.scheduler: sh, ipvs.excludeCIDRs: 198.18.0.10/32, ipvs.tcpTimeout: 15m0s and 1 more have no equivalent outside ipvs",
        detail:
          "all-of-them: ipvs.scheduler sh: it kept clients on one backend; sessionAffinity: ClientIP on the Services that need it replaces it. ipvs.excludeCIDRs 198.18.0.10/32: it kept kube-proxy away from IPVS services of other software; each start in nftables mode deletes all IPVS services of the node, those too, so that software must make its own again. ipvs.tcpTimeout 15m0s and ipvs.udpTimeout 5m0s: IPVS kept connections that long; other modes leave it to conntrack's own timeouts (conntrack.tcpEstablishedTimeout and others).",
        evidence: [
          said(
            `${ID}/all-of-them/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.scheduler",
            "sh",
          ),
          said(
            `${ID}/all-of-them/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.excludeCIDRs",
            "198.18.0.10/32",
          ),
          said(
            `${ID}/all-of-them/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.tcpTimeout",
            "15m0s",
          ),
          said(
            `${ID}/all-of-them/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy ipvs.udpTimeout",
            "5m0s",
          ),
        ],
        fix: "Decide what replaces each ipvs setting before leaving ipvs. sessionAffinity: ClientIP keeps clients on one backend, internalTrafficPolicy: Local or trafficDistribution keeps traffic near, conntrack timeouts keep long-lived connections.",
        facts: ["ipvs-settings-have-no-successor", "ipvs-flush-all"],
        fingerprint: `${ID}/manifests:all-of-them/ipvs.excludeCIDRs=198.18.0.10/32;ipvs.scheduler=sh;ipvs.tcpTimeout=15m0s;ipvs.udpTimeout=5m0s`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(ipvsSettingsLost, `${ID}/least-connection`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "migration",
        status: "unknown",
        title: "Which ipvs settings are in use is unknown",
        detail:
          'least-connection: what leaving ipvs costs hangs on the configuration of every kube-proxy. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        fingerprint: `${ID}/manifests:least-connection/unknown`,
      },
    ]);
  });

  it("passes where ipvs runs with its defaults", async () => {
    expect(await judgeManifests(ipvsSettingsLost, `${ID}/defaults`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "pass",
        title: "ipvs runs with its default settings",
        detail: "defaults loses no setting by leaving ipvs.",
        evidence: [
          said(
            `${ID}/defaults/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        facts: ["ipvs-settings-have-no-successor"],
        fingerprint: `${ID}/manifests:defaults/none`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "pods-not-in-the-dump",
      "is unknown where other kube-proxies were not looked for",
      ["unknown migration: Which ipvs settings are in use is unknown"],
    ],
    [
      "aks-flags",
      "reads the settings from flags where there is no file",
      [
        "warning migration: ipvs.scheduler: lc, ipvs.tcpTimeout: 1800s, ipvs.tcpFinTimeout: 120s and 1 more have no equivalent outside ipvs",
      ],
    ],
    [
      "leftovers-outside-ipvs",
      "stays silent about settings that another mode ignores",
      ["pass migration: ipvs is not used: no ipvs setting is lost"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(ipvsSettingsLost, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
