import { describe, expect, it } from "vitest";
import { proxyModeInvalid } from "#src/checks/proxy-mode-invalid/check.ts";
import { forbiddenConfigMap } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "proxy-mode-invalid";

describe(ID, () => {
  it("blocks today where the mode is written in capitals", async () => {
    expect(await judgeManifests(proxyModeInvalid, `${ID}/capital-letters`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: 'kube-proxy 1.36 does not start with mode "IPVS"',
        detail:
          "capital-letters: DaemonSet kube-system/kube-proxy is configured by ConfigMap kube-system/kube-proxy data[config.conf]. kube-proxy 1.36 exits: must be iptables, ipvs, nftables or blank. Pods that run still run; the next restart fails.",
        evidence: [
          said(
            `${ID}/capital-letters/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy mode",
            "IPVS",
          ),
        ],
        fix: "Correct the mode before kube-proxy restarts. It is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        facts: ["mode-is-exact"],
        fingerprint: `${ID}/manifests:capital-letters/mode=IPVS/1.36`,
      },
    ]);
  });

  it("blocks today where a keyword of 1.37 stands in 1.36, and says who accepts it", async () => {
    expect(await judgeManifests(proxyModeInvalid, `${ID}/keyword-of-1.37`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: 'kube-proxy 1.36 does not start with nodePortAddresses "primary,localhost"',
        detail:
          "keyword-of-1.37: DaemonSet kube-system/kube-proxy is configured by ConfigMap kube-system/kube-proxy data[config.conf]. kube-proxy 1.36 exits: can't use both 'primary' and CIDRs. Versions from 1.37 on accept it. Pods that run still run; the next restart fails.",
        evidence: [
          said(
            `${ID}/keyword-of-1.37/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy nodePortAddresses",
            "primary,localhost",
          ),
        ],
        fix: "Correct nodePortAddresses before kube-proxy restarts. It is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        blocksUntil: "1.37",
        facts: ["nodeport-keywords"],
        fingerprint: `${ID}/manifests:keyword-of-1.37/nodePortAddresses=primary,localhost/1.36`,
      },
    ]);
  });

  it("blocks where the file does not load", async () => {
    expect(await judgeManifests(proxyModeInvalid, `${ID}/not-yaml`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: "kube-proxy cannot load its configuration file",
        detail:
          "not-yaml: DaemonSet kube-system/kube-proxy reads ConfigMap kube-system/kube-proxy data[config.conf], which kube-proxy refuses: failed to decode: featureGates: Invalid input: expected record, received array. Pods that run still run; the next restart fails.",
        evidence: [
          said(
            `${ID}/not-yaml/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: iptables",
          ),
        ],
        fix: "Correct the configuration file before kube-proxy restarts. It is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        fingerprint: `${ID}/manifests:not-yaml/unloadable`,
      },
    ]);
  });

  it("is unknown where nobody can tell whether the next kube-proxy knows a gate", async () => {
    expect(await judgeManifests(proxyModeInvalid, `${ID}/gate-not-in-the-table`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether the next kube-proxy knows the feature gate SomeVendorGate is unknown",
        detail:
          "gate-not-in-the-table: DaemonSet kube-system/kube-proxy sets SomeVendorGate. A feature gate that kube-proxy does not know makes it exit. Reason: the gate is not in the table of known gates.",
        evidence: [
          said(
            `${ID}/gate-not-in-the-table/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            undefined,
            "not-requested",
          ),
        ],
        fix: "Check SomeVendorGate against the release notes of the target, and remove what is not needed. The gates are set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        blocksFrom: { version: "1.37", component: "kube-proxy", certainty: "estimated" },
        facts: ["unknown-gate-is-fatal"],
        fingerprint: `${ID}/manifests:gate-not-in-the-table/gates/SomeVendorGate`,
      },
    ]);
  });

  it("is unknown where the version that decides is unknown", async () => {
    expect(await judgeManifests(proxyModeInvalid, `${ID}/version-unknown`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether kube-proxy accepts its configuration depends on its version, which is unknown",
        detail:
          "version-unknown: DaemonSet kube-system/kube-proxy is configured with something that not every version accepts. Reason: neither the image nor the API server tells the version.",
        evidence: [
          said(
            `${ID}/version-unknown/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            undefined,
            "not-requested",
          ),
        ],
        fix: "Give the auditor the API server's version and the nodes. proxy-audit doctor names what is missing.",
        fingerprint: `${ID}/manifests:version-unknown/unknown-version`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(proxyModeInvalid, `${ID}/accepted`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether kube-proxy accepts its configuration is unknown",
        detail:
          'accepted: DaemonSet kube-system/kube-proxy could not be judged. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        fingerprint: `${ID}/manifests:accepted/unknown/self`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "nftables-before-1.29",
      "blocks nftables where no such mode is",
      ['blocker upgrade from 1.28: kube-proxy 1.28 does not start with mode "nftables"'],
    ],
    [
      "scheduler-of-no-kernel",
      "blocks a scheduler that no kernel has",
      ['blocker upgrade from 1.36: kube-proxy 1.36 does not start with ipvs.scheduler "leastconn"'],
    ],
    [
      "leftover-scheduler",
      "stays silent about the same scheduler outside ipvs mode",
      ["pass upgrade: kube-proxy accepts its configuration"],
    ],
    [
      "keyword-at-1.37",
      "passes where the keyword is known",
      ["pass upgrade: kube-proxy accepts its configuration"],
    ],
    [
      "accepted",
      "passes where everything is accepted",
      ["pass upgrade: kube-proxy accepts its configuration"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(proxyModeInvalid, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
