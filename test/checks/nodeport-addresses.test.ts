import { describe, expect, it } from "vitest";
import { nodePortAddresses } from "#src/checks/nodeport-addresses/check.ts";
import { forbiddenConfigMap } from "./changes.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "nodeport-addresses";

describe(ID, () => {
  it("warns of NodePorts that answer on all addresses, with the Services", async () => {
    expect(await judgeManifests(nodePortAddresses, `${ID}/ipvs`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "1 Service with node ports: under nftables they answer on primary node addresses only",
        detail:
          "ipvs: nodePortAddresses is not set. Today NodePorts answer on every address of a node, also on second interfaces and virtual IPs (keepalived, kube-vip); in nftables mode an empty setting means the node's primary address only (1.31 and newer). Load balancers that target the primary address are not affected.",
        evidence: [
          said(
            `${ID}/ipvs/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy nodePortAddresses",
            "not set",
          ),
          said(`${ID}/ipvs/services.yaml: services`, "Service web/shop spec.ports[].nodePort", "30080,30443"),
        ],
        fix: "Find out who connects to NodePorts by another address than the node's primary one, then set nodePortAddresses (CIDRs, or the word primary). It stands beside the mode, which is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        subjects: ["web/shop:30080,30443"],
        subjectCount: 1,
        facts: ["nodeport-primary", "nodeport-keywords"],
        fingerprint: `${ID}/manifests:ipvs/all-addresses`,
      },
    ]);
  });

  it("becomes an upgrade matter at 1.40 where no mode is chosen", async () => {
    expect(await judgeManifests(nodePortAddresses, `${ID}/unset`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "1 Service with node ports: under nftables they answer on primary node addresses only",
        detail:
          "unset: nodePortAddresses is not set. Today NodePorts answer on every address of a node, also on second interfaces and virtual IPs (keepalived, kube-vip); in nftables mode an empty setting means the node's primary address only (1.31 and newer). Load balancers that target the primary address are not affected.",
        evidence: [
          said(
            `${ID}/unset/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "DaemonSet kube-system/kube-proxy nodePortAddresses",
            "not set",
          ),
          said(
            `${ID}/unset/services.yaml: services`,
            "Service web/shop spec.ports[].nodePort",
            "30080,30443",
          ),
        ],
        fix: "Find out who connects to NodePorts by another address than the node's primary one, then set nodePortAddresses (CIDRs, or the word primary). It stands beside the mode, which is set in ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode).",
        upgradeFrom: { version: "1.40", certainty: "planned" },
        subjects: ["web/shop:30080,30443"],
        subjectCount: 1,
        facts: ["nodeport-primary", "nodeport-keywords"],
        fingerprint: `${ID}/manifests:unset/all-addresses`,
      },
    ]);
  });

  it("is unknown where the Services were not read", async () => {
    expect(await judgeManifests(nodePortAddresses, `${ID}/services-not-in-the-dump`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "unknown",
        title: "Which Services use node ports is unknown",
        detail:
          "services-not-in-the-dump: nodePortAddresses is not set, so NodePorts answer on all addresses today and on the primary ones under nftables. Reason: no Service in the dump.",
        evidence: [said("services", undefined, "not-requested")],
        fix: "Give the auditor list services, or add the Services to the dump. proxy-audit doctor names what is missing.",
        facts: ["nodeport-primary"],
        fingerprint: `${ID}/manifests:services-not-in-the-dump/services-unread`,
      },
    ]);
  });

  it("is unknown where the configuration is forbidden", async () => {
    expect(
      await judgeManifests(nodePortAddresses, `${ID}/ipvs`, {
        change: forbiddenConfigMap("kube-system/kube-proxy"),
      }),
    ).toEqual([
      {
        check: ID,
        about: "migration",
        status: "unknown",
        title: "On which addresses NodePorts answer is unknown",
        detail:
          'ipvs: it hangs on nodePortAddresses and on the mode of every kube-proxy. Not read: forbidden: ConfigMap kube-system/kube-proxy: configmaps "kube-system/kube-proxy" is forbidden.',
        evidence: [said("configmaps kube-system/kube-proxy", undefined, "forbidden", "kubernetes")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        facts: ["nodeport-primary"],
        fingerprint: `${ID}/manifests:ipvs/configuration-unread`,
      },
    ]);
  });

  it("passes where nodePortAddresses is set", async () => {
    expect(await judgeManifests(nodePortAddresses, `${ID}/cidrs-are-set`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "pass",
        title: "Leaving the mode does not change where NodePorts answer",
        detail: "cidrs-are-set: nodePortAddresses says where NodePorts answer.",
        evidence: [
          said(
            `${ID}/cidrs-are-set/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        facts: ["nodeport-primary"],
        fingerprint: `${ID}/manifests:cidrs-are-set/quiet`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      "eks-addon",
      "does not advise what the EKS add-on cannot set",
      [
        "warning migration: 1 Service with node ports: under nftables they answer on primary node addresses only",
      ],
    ],
    [
      "already-nftables",
      "passes where nftables runs",
      ["pass migration: Leaving the mode does not change where NodePorts answer"],
    ],
    [
      "no-node-ports",
      "passes where no Service has a node port",
      ["pass migration: Leaving the mode does not change where NodePorts answer"],
    ],
    [
      "cilium",
      "passes where kube-proxy is replaced",
      ["pass migration: Leaving the mode does not change where NodePorts answer"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(nodePortAddresses, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
