import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";
import { answerWithoutModes, modesText, passByMode, type RunningModes, runs, standingOf } from "../modes.ts";
import { upgradeFromDefault } from "../nftables-use.ts";
import { type NodeCache, nodeCachesOf } from "./node-caches.ts";

/** NodeLocal DNSCache is set up differently for ipvs and for iptables, and upstream says nothing about nftables. */
export const dnsCache: Check = {
  id: "dns-cache",
  title: "NodeLocal DNSCache",
  about: "migration",
  canBlock: null,
  evidence: ["the arguments of NodeLocal DNSCache", "its Corefile", "the address of the DNS Service"],
  permissions: ["list daemonsets", "get configmaps in kube-system", "list services"],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(dnsCache, input, standing, ["node-local-dns"])];
    const caches = nodeCachesOf(input.evidence);
    const findings: Finding[] = [];
    const onService = caches.filter(({ serviceAddresses }) => serviceAddresses.length > 0);
    const onOwn = caches.filter(
      ({ addresses, serviceAddresses }) => addresses !== null && serviceAddresses.length === 0,
    );
    const hidden = caches.find(({ addresses }) => addresses === null);
    if (onService.length > 0) findings.push(boundToService(input, standing, onService));
    if (onOwn.length > 0) findings.push(ownAddress(input, standing, onOwn));
    if (hidden !== undefined) findings.push(unread(input, hidden));
    if (findings.length > 0) return findings;
    const { daemonSets, cluster } = input.evidence;
    if (daemonSets.seen !== true) {
      return [
        unknownFinding(dnsCache, input, {
          title: "Whether the cluster runs NodeLocal DNSCache is unknown",
          detail: `${cluster.name}: set up for ipvs it has to stay after a migration; set up for iptables it has to be tested with nftables.`,
          unread: daemonSets,
          facts: ["node-local-dns"],
          what: "daemonsets-unread",
        }),
      ];
    }
    return [
      finding(dnsCache, input, {
        status: "pass",
        title: "No NodeLocal DNSCache runs in the cluster",
        detail: `${cluster.name}: no DaemonSet runs k8s-dns-node-cache, so pods ask the DNS Service.`,
        evidence: [{ source: daemonSets.source, excerpt: "no k8s-dns-node-cache" }],
        facts: ["node-local-dns"],
        what: "none",
      }),
    ];
  },
};

/** How kubernetes.io sets it up for ipvs: the kubelets hand pods the cache's own address. */
function ownAddress(input: CheckInput, standing: RunningModes, caches: NodeCache[]): Finding {
  const { name } = input.evidence.cluster;
  const refs = listed(caches.map(({ ref }) => ref));
  const addresses = listed([...new Set(caches.flatMap((cache) => cache.addresses ?? []))]);
  const common = {
    evidence: caches.map((cache) => cache.evidence),
    subjects: caches.map(({ ref }) => ref),
    facts: ["node-local-dns"] as const,
  };
  if (standing.inUse.every(({ mode }) => mode === "nftables")) {
    return passByMode(dnsCache, input, standing, {
      ...common,
      title: "NodeLocal DNSCache listens on an address of its own, which nftables mode does not touch",
      detail: `${name}: ${refs} listens on ${addresses}. Pods whose resolv.conf names it need it as long as they run.`,
      what: "own-address/nftables",
    });
  }
  return finding(dnsCache, input, {
    ...common,
    status: "info",
    title: "NodeLocal DNSCache must stay after the migration: pods ask it by its own address",
    detail:
      `${name}: ${refs} listens on ${addresses} only, the set-up for ipvs mode. The kubelets write that address into every pod's ` +
      "resolv.conf, and it answers in any proxy mode, but only while the cache runs: without it these pods lose DNS at once.",
    fix:
      `Keep ${refs} while kube-proxy moves. To give it up later, first change clusterDNS in the kubelets' configuration back to the ` +
      "DNS Service and restart every pod.",
    what: "own-address",
  });
}

/** How kubernetes.io sets it up for iptables: the cache takes over the DNS Service's address on each node. */
function boundToService(input: CheckInput, standing: RunningModes, caches: NodeCache[]): Finding {
  const { name } = input.evidence.cluster;
  const refs = listed(caches.map(({ ref }) => ref));
  const addresses = listed([...new Set(caches.flatMap((cache) => cache.serviceAddresses))]);
  const already = standing.inUse.every(({ mode }) => mode === "nftables");
  const clash = runs(standing, "ipvs")
    ? " In ipvs mode kube-ipvs0 holds that address already, so the cache may not be asked at all today."
    : "";
  return finding(dnsCache, input, {
    status: "warning",
    ...(already ? { about: "hygiene" as const } : {}),
    title: already
      ? "NodeLocal DNSCache is set up for iptables mode, and kube-proxy runs nftables"
      : "NodeLocal DNSCache is set up for iptables mode: test it before moving to nftables",
    detail:
      `${name}: ${refs} listens on the DNS Service's address (${addresses}) and programs iptables rules that keep kube-proxy away from it. ` +
      `kube-proxy runs ${modesText(standing.inUse)} mode. Upstream documents this set-up for iptables only and has not said whether it ` +
      `works beside nftables (kubernetes/dns#682, open).${clash}`,
    evidence: caches.map((cache) => cache.evidence),
    fix:
      `${already ? "On" : "Move one node first, and on"} it, from a pod, ask ${addresses.split(" ")[0]} and see the cache's own counter rise ` +
      "(coredns_dns_requests_total on port 9253). Where it does not, let the cache listen on 169.254.20.10 only and hand pods that address with the kubelets' clusterDNS.",
    ...(already ? {} : upgradeFromDefault(standing)),
    subjects: caches.map(({ ref }) => ref),
    facts: ["node-local-dns"],
    what: already ? "service-address/nftables" : "service-address",
  });
}

function unread(input: CheckInput, { ref, evidence }: NodeCache): Finding {
  return unknownFinding(dnsCache, input, {
    title: "NodeLocal DNSCache runs, and which addresses it listens on is not shown",
    detail: `${input.evidence.cluster.name}: ${ref} has no -localip with plain addresses. A link-local address alone has to stay after a migration.`,
    unread: missing(
      `the addresses of ${ref}: neither its arguments nor a Corefile show them`,
      evidence.source,
    ),
    fix: "Look for -localip in its arguments or bind in its Corefile, with kubectl get daemonset,configmap -n NAMESPACE -o yaml.",
    facts: ["node-local-dns"],
    what: "addresses-unread",
  });
}
