import { describe, expect, it } from "vitest";
import { dnsCache } from "#src/checks/dns-cache/check.ts";
import { notSeen } from "#src/model/observed.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "dns-cache";

describe("dns-cache", () => {
  it("says that a cache set up for ipvs has to stay, because pods ask it by its own address", async () => {
    expect(await judgeManifests(dnsCache, `${ID}/ipvs-own-address`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "info",
        title: "NodeLocal DNSCache must stay after the migration: pods ask it by its own address",
        detail:
          "ipvs-own-address: DaemonSet kube-system/node-local-dns listens on 169.254.20.10 only, the set-up for ipvs mode. The kubelets write that address into every pod's resolv.conf, and it answers in any proxy mode, but only while the cache runs: without it these pods lose DNS at once.",
        evidence: [
          {
            source: { kind: "manifest", ref: "daemonsets", at: "" },
            path: "DaemonSet kube-system/node-local-dns container node-local-dns -localip",
            excerpt: "169.254.20.10",
          },
        ],
        fix: "Keep DaemonSet kube-system/node-local-dns while kube-proxy moves. To give it up later, first change clusterDNS in the kubelets' configuration back to the DNS Service and restart every pod.",
        subjects: ["DaemonSet kube-system/node-local-dns"],
        subjectCount: 1,
        facts: ["node-local-dns"],
        fingerprint: `${ID}/manifests:ipvs-own-address/own-address`,
      },
    ]);
  });

  it("warns about a cache that takes over the DNS Service's address by iptables rules", async () => {
    const [finding] = await judgeManifests(dnsCache, `${ID}/iptables-service-address`);
    expect(finding).toMatchObject({
      status: "warning",
      about: "migration",
      title: "NodeLocal DNSCache is set up for iptables mode: test it before moving to nftables",
      detail:
        "iptables-service-address: DaemonSet kube-system/node-local-dns listens on the DNS Service's address (10.96.0.10) and programs iptables rules that keep kube-proxy away from it. kube-proxy runs iptables mode. Upstream documents this set-up for iptables only and has not said whether it works beside nftables (kubernetes/dns#682, open).",
    });
  });

  it("does not take DaemonSets that were not read for no cache", async () => {
    const source = { kind: "kubernetes", ref: "/apis/apps/v1/daemonsets", at: "" } as const;
    const findings = await judgeManifests(dnsCache, `${ID}/coredns-only`, {
      change: (evidence) => {
        const { daemonSets } = evidence;
        if (daemonSets.seen === false) return evidence;
        return {
          ...evidence,
          daemonSets: {
            seen: "partial",
            value: daemonSets.value,
            why: "timeout",
            detail: "page 2 of 3",
            source,
          },
          jobs: notSeen("forbidden", "", source),
        };
      },
    });
    expect(outcomesOf(findings)).toEqual(["unknown migration daemonsets-unread"]);
  });

  it.each([
    ["kubespray", ["info migration own-address"]],
    ["corefile-only", ["info migration own-address"]],
    ["unset-service-address", ["warning migration service-address from 1.40"]],
    ["ipvs-service-address", ["warning migration service-address"]],
    ["services-unread", ["warning migration service-address"]],
    ["nftables-service-address", ["warning hygiene service-address/nftables"]],
    ["nftables-own-address", ["pass migration own-address/nftables"]],
    ["placeholders-left", ["unknown migration addresses-unread"]],
    ["coredns-only", ["pass migration none"]],
    ["replaced", ["pass migration replaced"]],
    ["nothing-read", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(dnsCache, `${ID}/${folder}`))).toEqual(outcomes);
  });
});
