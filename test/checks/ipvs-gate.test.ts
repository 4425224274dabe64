import { describe, expect, it } from "vitest";
import { ipvsGate } from "#src/checks/ipvs-gate/check.ts";
import { forbiddenConfigMap } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "ipvs-gate";

describe(ID, () => {
  it("blocks from 1.43 where the gate keeps ipvs", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/on-with-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "KubeProxyIPVS is forced on: kube-proxy refuses that from 1.43 on, in every mode (planned)",
        detail:
          "on-with-ipvs: DaemonSet kube-system/kube-proxy sets KubeProxyIPVS: true. It keeps ipvs running in 1.40 to 1.42. From 1.43 on the gate is locked off and setting it to true makes kube-proxy exit.",
        evidence: [
          said(
            `${ID}/on-with-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy featureGates.KubeProxyIPVS",
            "true",
          ),
        ],
        fix: "Leave ipvs, then remove KubeProxyIPVS from featureGates, before kube-proxy 1.43.",
        blocksFrom: { version: "1.43", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-removed-1.43"],
        fingerprint: `${ID}/manifests:on-with-ipvs/true`,
      },
    ]);
  });

  it("blocks from 1.43 where the gate does nothing else", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/on-without-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "warning",
        title: "KubeProxyIPVS is forced on: kube-proxy refuses that from 1.43 on, in every mode (planned)",
        detail:
          "on-without-ipvs: DaemonSet kube-system/kube-proxy sets KubeProxyIPVS: true. It does nothing here, since the mode is not ipvs. From 1.43 on the gate is locked off and setting it to true makes kube-proxy exit.",
        evidence: [
          said(
            `${ID}/on-without-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy featureGates.KubeProxyIPVS",
            "true",
          ),
        ],
        fix: "Remove KubeProxyIPVS from featureGates before kube-proxy 1.43.",
        blocksFrom: { version: "1.43", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-removed-1.43"],
        fingerprint: `${ID}/manifests:on-without-ipvs/true`,
      },
    ]);
  });

  it("blocks today where the gate is off under ipvs", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/off-with-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: "KubeProxyIPVS is off while the mode is ipvs: kube-proxy refuses to start from 1.37 on",
        detail:
          "off-with-ipvs: DaemonSet kube-system/kube-proxy rehearses 1.40 with KubeProxyIPVS: false, but is still configured for ipvs.",
        evidence: [
          said(
            `${ID}/off-with-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy featureGates.KubeProxyIPVS",
            "false",
          ),
        ],
        fix: "Set another mode first, or remove KubeProxyIPVS until the migration.",
        blocksFrom: { version: "1.37", component: "kube-proxy", certainty: "released" },
        facts: ["ipvs-gate-1.37"],
        fingerprint: `${ID}/manifests:off-with-ipvs/false/ipvs`,
      },
    ]);
  });

  it("tells a rehearsal of 1.40, and from when the name is refused", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/off-without-ipvs`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "info",
        title: "KubeProxyIPVS is off: this cluster rehearses 1.40 and runs without ipvs",
        detail:
          "off-without-ipvs: DaemonSet kube-system/kube-proxy sets KubeProxyIPVS: false and does not use ipvs. From 1.46 on (planned) the gate is gone and naming it is fatal.",
        evidence: [
          said(
            `${ID}/off-without-ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy featureGates.KubeProxyIPVS",
            "false",
          ),
        ],
        fix: "Remove KubeProxyIPVS from featureGates before kube-proxy 1.46.",
        blocksFrom: { version: "1.46", component: "kube-proxy", certainty: "planned" },
        facts: ["ipvs-gate-gone-1.46"],
        fingerprint: `${ID}/manifests:off-without-ipvs/false`,
      },
    ]);
  });

  it("blocks today where kube-proxy does not know the gate", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/before-1.37`)).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "blocker",
        title: "kube-proxy 1.36 does not know KubeProxyIPVS and will not start",
        detail:
          "before-1.37: DaemonSet kube-system/kube-proxy sets KubeProxyIPVS: true, which exists from 1.37 on. An unknown feature gate is fatal: the next restart fails.",
        evidence: [
          said(
            `${ID}/before-1.37/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy featureGates.KubeProxyIPVS",
            "true",
          ),
        ],
        fix: "Remove KubeProxyIPVS from featureGates until kube-proxy is 1.37 or newer.",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        blocksUntil: "1.37",
        facts: ["unknown-gate-is-fatal", "ipvs-gate-1.37"],
        fingerprint: `${ID}/manifests:before-1.37/true/too-early`,
      },
      expect.objectContaining({
        status: "warning",
        blocksFrom: { version: "1.43", component: "kube-proxy", certainty: "planned" },
        fingerprint: `${ID}/manifests:before-1.37/true`,
      }),
    ]);
  });

  it("tells that the flag has no effect beside --config", async () => {
    expect(await judgeManifests(ipvsGate, `${ID}/flag-beside-config`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "--feature-gates with KubeProxyIPVS has no effect beside --config",
        detail:
          "flag-beside-config: DaemonSet kube-system/kube-proxy gives --feature-gates=KubeProxyIPVS=true, but kube-proxy takes feature gates from its file only.",
        evidence: [
          said(
            `${ID}/flag-beside-config/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy args",
            "--feature-gates",
          ),
        ],
        fix: "Set featureGates.KubeProxyIPVS in the file, or remove the flag.",
        facts: ["flags-ignored-with-config"],
        fingerprint: `${ID}/manifests:flag-beside-config/ignored-flag`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(ipvsGate, `${ID}/on-with-ipvs`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "upgrade",
        status: "unknown",
        title: "Whether KubeProxyIPVS is set is unknown",
        detail:
          'on-with-ipvs: the gate decides how long ipvs lasts, and can stop kube-proxy by itself. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        blocksFrom: { version: "1.37", component: "kube-proxy", certainty: "released" },
        fingerprint: `${ID}/manifests:on-with-ipvs/unknown/self`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "locked-at-1.43",
      "is a blocker once the gate is locked",
      [
        "blocker upgrade from 1.43: KubeProxyIPVS is forced on: kube-proxy refuses that from 1.43 on, in every mode (planned)",
      ],
    ],
    [
      "flag",
      "reads the gate from flags where there is no file",
      [
        "warning upgrade from 1.43: KubeProxyIPVS is forced on: kube-proxy refuses that from 1.43 on, in every mode (planned)",
      ],
    ],
    ["other-gate", "passes where only other gates are set", ["pass upgrade: KubeProxyIPVS is not set"]],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(ipvsGate, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
