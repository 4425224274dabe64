import { describe, expect, it } from "vitest";
import { proxyReplacement } from "#src/checks/proxy-replacement/check.ts";
import { inShort, judgeManifests, said } from "./judge-manifests.ts";

const ID = "proxy-replacement";

describe(ID, () => {
  it("warns where both run", async () => {
    expect(await judgeManifests(proxyReplacement, `${ID}/cilium-and-kube-proxy`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "warning",
        title: "cilium replaces kube-proxy, and kube-proxy still runs",
        detail:
          "cilium-and-kube-proxy: both program Services on the same nodes (DaemonSet kube-system/kube-proxy). Traffic can pass through either, and kube-proxy's rules stay after it stops.",
        evidence: [
          said(
            `${ID}/cilium-and-kube-proxy/cilium.yaml: ConfigMap kube-system/cilium-config`,
            "ConfigMap kube-system/cilium-config data[kube-proxy-replacement]",
            "true",
          ),
          said(
            `${ID}/cilium-and-kube-proxy/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fix: "Remove kube-proxy rather than migrate it: delete its DaemonSet and ConfigMap, then run kube-proxy --cleanup or reboot each node.",
        facts: ["ipvs-flush-all"],
        fingerprint: `${ID}/manifests:cilium-and-kube-proxy/conflict/cilium`,
      },
    ]);
  });

  it("passes where kube-router replaces kube-proxy, and tells that it uses IPVS", async () => {
    expect(await judgeManifests(proxyReplacement, `${ID}/kube-router`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "pass",
        title: "kube-router replaces kube-proxy",
        detail:
          "kube-router: DaemonSet kube-system/kube-router is run-service-proxy. No kube-proxy runs beside it.",
        evidence: [
          said(
            `${ID}/kube-router/kube-router.yaml: daemonsets`,
            "DaemonSet kube-system/kube-router",
            "run-service-proxy",
          ),
        ],
        fingerprint: `${ID}/manifests:kube-router/replaced/kube-router`,
      },
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "kube-router uses kernel IPVS without kube-proxy",
        detail:
          "kube-router: DaemonSet kube-system/kube-router. The end of kube-proxy's ipvs mode does not touch it. But kube-proxy --cleanup, and every start of kube-proxy in nftables mode, delete all IPVS services of the node, so it has to make its own again.",
        evidence: [
          said(
            `${ID}/kube-router/kube-router.yaml: daemonsets`,
            "DaemonSet kube-system/kube-router",
            "kube-router",
          ),
        ],
        fix: "Keep the ip_vs kernel modules on the nodes, also after kube-proxy has left ipvs. Test on one node what kube-router does when kube-proxy starts in nftables mode.",
        facts: ["ipvs-flush-all"],
        fingerprint: `${ID}/manifests:kube-router/other-users/kube-router`,
      },
    ]);
  });

  it("tells of other users of IPVS beside kube-proxy", async () => {
    expect(await judgeManifests(proxyReplacement, `${ID}/sealos-lvscare`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "pass",
        title: "kube-proxy does Services; nothing that replaces it was found",
        detail: "sealos-lvscare: DaemonSet kube-system/kube-proxy.",
        evidence: [
          said(
            `${ID}/sealos-lvscare/kube-proxy.yaml: ConfigMap kube-system/kube-proxy`,
            "ConfigMap kube-system/kube-proxy data[config.conf].mode",
            "mode: ipvs",
          ),
        ],
        fingerprint: `${ID}/manifests:sealos-lvscare/kube-proxy`,
      },
      {
        check: ID,
        about: "hygiene",
        status: "info",
        title: "lvscare uses kernel IPVS without kube-proxy",
        detail:
          "sealos-lvscare: static Pod kube-system/kube-sealos-lvscare-node-b. The end of kube-proxy's ipvs mode does not touch it. But kube-proxy --cleanup, and every start of kube-proxy in nftables mode, delete all IPVS services of the node, so it has to make its own again.",
        evidence: [
          said(
            `${ID}/sealos-lvscare/lvscare.yaml: pods`,
            "static Pod kube-system/kube-sealos-lvscare-node-b",
            "lvscare",
          ),
        ],
        fix: "Keep the ip_vs kernel modules on the nodes, also after kube-proxy has left ipvs. Test on one node what lvscare does when kube-proxy starts in nftables mode.",
        facts: ["ipvs-flush-all"],
        fingerprint: `${ID}/manifests:sealos-lvscare/other-users/lvscare`,
      },
    ]);
  });

  it("is unknown where kube-proxy may run beside the replacement", async () => {
    expect(await judgeManifests(proxyReplacement, `${ID}/pods-not-in-the-dump`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "unknown",
        title: "cilium replaces kube-proxy; whether kube-proxy still runs beside it is unknown",
        detail:
          "pods-not-in-the-dump: a kube-proxy that still runs programs Services on the same nodes. Reason: no Pod in the dump.",
        evidence: [said("pods", undefined, "not-requested")],
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        fingerprint: `${ID}/manifests:pods-not-in-the-dump/replaced/cilium/unread`,
      },
    ]);
  });

  it("is unknown where nothing was found", async () => {
    expect(await judgeManifests(proxyReplacement, `${ID}/host-service`)).toEqual([
      {
        check: ID,
        about: "hygiene",
        status: "unknown",
        title: "Neither a kube-proxy nor a replacement was found",
        detail:
          "Something does Services in host-service, but no object that was read shows what. Reason: no object shows kube-proxy, and nothing that replaces it was found: it can run as a host service.",
        evidence: [said("daemonsets", undefined, "not-requested")],
        fix: "Look on a node which process does it: kube-proxy as a host service, or a CNI that replaces it.",
        fingerprint: `${ID}/manifests:host-service/nothing-found`,
      },
    ]);
  });

  it.each<[string, string, string[]]>([
    ["cilium", "passes where Cilium replaces kube-proxy", ["pass hygiene: cilium replaces kube-proxy"]],
    [
      "cilium-leaves-it-to-kube-proxy",
      "stays silent about a Cilium that replaces nothing",
      ["pass hygiene: kube-proxy does Services; nothing that replaces it was found"],
    ],
  ])("%s: %s", async (folder, _, expected) => {
    const findings = await judgeManifests(proxyReplacement, `${ID}/${folder}`);
    expect(findings.map(inShort)).toEqual(expected);
  });
});
