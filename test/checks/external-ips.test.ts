import { describe, expect, it } from "vitest";
import { externalIps } from "#src/checks/external-ips/check.ts";
import { judgeManifests } from "./judge-manifests.ts";
import { outcomesOf } from "./outcomes.ts";

const ID = "external-ips";

describe("external-ips", () => {
  it("lists the addresses that leave kube-ipvs0, and apart from them the deprecated externalIPs", async () => {
    const source = { kind: "manifest", ref: `${ID}/ipvs-vip-and-external/services.yaml: services`, at: "" };
    expect(await judgeManifests(externalIps, `${ID}/ipvs-vip-and-external`)).toEqual([
      {
        check: ID,
        about: "migration",
        status: "warning",
        title: "2 addresses of Services leave kube-ipvs0: test them from inside the cluster",
        detail:
          "ipvs-vip-and-external: in ipvs mode every node holds the external and load balancer addresses of 2 Services on kube-ipvs0 and takes them for its own. In nftables and iptables mode no node holds them: packets from pods and nodes to them are translated on their way out instead. What changes: pods that call the cluster's own address from inside, source addresses with externalTrafficPolicy: Local, answers to ping, and routers or BGP speakers that saw the addresses on the node.",
        evidence: [
          { source, path: "Service legacy/ftp spec.externalIPs", excerpt: "198.51.100.32" },
          { source, path: "Service shop/web status.loadBalancer.ingress[].ip", excerpt: "192.168.1.240" },
        ],
        fix: "Before and after moving the first node, call each address from a pod on that node, from the node itself and from outside: curl -m 5 http://198.51.100.32/ (the first of them; with the port of its Service).",
        subjects: ["legacy/ftp 198.51.100.32", "shop/web 192.168.1.240"],
        subjectCount: 2,
        facts: ["kube-ipvs0-addresses"],
        fingerprint: `${ID}/manifests:ipvs-vip-and-external/kube-ipvs0`,
      },
      {
        check: ID,
        about: "hygiene",
        status: "warning",
        title:
          "1 Service uses externalIPs, deprecated in 1.36: kube-proxy is to ignore them by default from 1.40 (planned)",
        detail:
          "ipvs-vip-and-external: spec.externalIPs works in every proxy mode today. Since 1.36 the API server warns about it; KEP-5707 plans that kube-proxy ignores the field by default in 1.40 and that support ends in 1.43 (both tentative).",
        evidence: [{ source, path: "Service legacy/ftp spec.externalIPs", excerpt: "198.51.100.32" }],
        fix: "Give the Services with externalIPs type: LoadBalancer (MetalLB or kube-vip can announce the same address) or a Gateway, then remove spec.externalIPs.",
        upgradeFrom: { version: "1.40", certainty: "planned" },
        subjects: ["legacy/ftp 198.51.100.32"],
        subjectCount: 1,
        facts: ["external-ips"],
        fingerprint: `${ID}/manifests:ipvs-vip-and-external/external-ips-deprecated`,
      },
    ]);
  });

  it.each([
    ["ipvs-vip", ["warning migration kube-ipvs0"]],
    ["ipvs-old-without-ip-mode", ["warning migration kube-ipvs0"]],
    ["ipvs-proxy-mode", ["pass migration none"]],
    ["ipvs-host-name", ["pass migration none"]],
    ["iptables-external", ["warning hygiene external-ips-deprecated from 1.40"]],
    ["iptables-vip", ["pass migration none"]],
    ["nftables-none", ["pass migration none"]],
    ["services-unread", ["unknown migration services-unread"]],
    ["replaced", ["pass migration replaced"]],
    ["mode-unknown", ["unknown migration mode-unknown"]],
  ])("%s: %s", async (folder, outcomes) => {
    expect(outcomesOf(await judgeManifests(externalIps, `${ID}/${folder}`))).toEqual(outcomes);
  });
});
