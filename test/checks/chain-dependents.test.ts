import { describe, expect, it } from "vitest";
import { chainDependents } from "#src/checks/chain-dependents/check.ts";
import { chainMentionsIn } from "#src/evidence/kubernetes/chain-mentions.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "chain-dependents";

describe("chain-dependents", () => {
  it("names object, container and the matched words, and nothing else of commands and variables", async () => {
    expect(await judgeManifests(chainDependents, `${ID}/rule-in-chain`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title:
          "1 place reaches into kube-proxy's rules (KUBE-SERVICES and KUBE-MARK-MASQ), which nftables mode does not have",
        detail:
          "rule-in-chain: DaemonSet default/fix-api-route container fix-api-route names KUBE-SERVICES and KUBE-MARK-MASQ. kube-proxy's chains and sets are no API; in nftables mode they do not exist, there is no kube-ipvs0, and ipvsadm lists nothing of kube-proxy's. A rule that jumps there fails to load, a check that looks there finds nothing.",
        evidence: [
          {
            source: { kind: "manifest", ref: "daemonsets", at: "" },
            path: "DaemonSet default/fix-api-route container fix-api-route",
            excerpt: "KUBE-SERVICES, KUBE-MARK-MASQ",
          },
        ],
        fix: "Ask the owner of each place what it reaches into kube-proxy's rules for. Rules: give them a chain or an nft table of their own. Checks: use kube-proxy's healthz (port 10256) and metrics. To look at rules: nft list table ip kube-proxy.",
        subjects: ["DaemonSet default/fix-api-route container fix-api-route: KUBE-SERVICES, KUBE-MARK-MASQ"],
        subjectCount: 1,
        facts: ["chains-are-not-api"],
        fingerprint: `${ID}/manifests:rule-in-chain/named`,
      },
    ]);
  });

  it("looks into ConfigMaps that workloads of the granted namespaces refer to", async () => {
    const [finding] = await judgeManifests(chainDependents, `${ID}/config-map-script`);
    expect(finding?.subjects).toEqual([
      "ConfigMap kube-system/node-checks data[check_services.sh] of DaemonSet kube-system/node-problem-detector: KUBE-SEP-, kube-ipvs0",
    ]);
  });

  it("keeps the tools of others that use kernel IPVS", async () => {
    const [finding] = await judgeManifests(chainDependents, `${ID}/beside-lvscare`);
    expect(finding?.subjects).toEqual([
      "DaemonSet kube-system/ipvs-timeouts container ipvs-timeouts: ipvsadm",
    ]);
    expect(finding?.detail).toContain(
      "Keep ipvsadm and the ip_vs modules for lvscare, which uses kernel IPVS apart from kube-proxy.",
    );
  });

  it.each([
    ["unset", ["warning migration named from 1.40"]],
    ["ipvsadm", ["warning migration named"]],
    ["ipvsadm-without-ipvs", ["warning hygiene named/stale"]],
    ["nftables-rule-in-chain", ["warning hygiene named/stale"]],
    ["nat-hook", ["info migration nat-hook"]],
    ["near-misses", ["pass migration none"]],
    ["config-map-unread", ["unknown migration unsearched"]],
    ["workloads-unread", ["warning migration named", "unknown migration unsearched"]],
    ["replaced", ["pass migration replaced"]],
    ["mode-unknown", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(chainDependents, `${ID}/${folder}`))).toEqual(outcomes);
  });
});

describe("mentions of kube-proxy's chains in a text", () => {
  it.each([
    ["iptables-save | grep KUBE-SVC-XPGD46QRK7WJZT7O", ["KUBE-SVC-"]],
    ["ipset list KUBE-CLUSTER-IP", ["KUBE-CLUSTER-IP"]],
    ["-A KUBE-IPVS-FILTER -j RETURN", ["KUBE-IPVS-FILTER"]],
    ["iptables -w -t nat -I OUTPUT 1 -p tcp --dport 80 -j REDIRECT", ["iptables -t nat OUTPUT"]],
    ["ip6tables-legacy --table nat --append PREROUTING -j DNAT", ["ip6tables -t nat PREROUTING"]],
    ["# iptables -t nat -L KUBE-SERVICES", []],
    ["iptables -t nat -L PREROUTING; iptables -A INPUT -j DROP", []],
    ["iptables -t nat -A POSTROUTING -j CNI-a1b2c3", []],
    ["iptables -A INPUT -j KUBE-FIREWALL", []],
    ["KUBE-KUBELET-CANARY KUBE-HOSTPORTS KUBE-ROUTER-INPUT KUBE-POD-FW-ABC", []],
    ["MY-KUBE-SERVICES and KUBE_SERVICES", []],
    ["skip-interface=kube-ipvs0,docker0", []],
    ["interface=kube-ipvs0", ["kube-ipvs0"]],
    ["^kube-ipvs.*", []],
    ["libipvsadm-dev", []],
  ])("%s: %j", (text, words) => {
    expect(chainMentionsIn(text).map((mention) => mention.text)).toEqual(words);
  });

  it("ends over a line without an end", () => {
    expect(chainMentionsIn("iptables -t nat ".repeat(60_000))).toEqual([]);
  });
});
