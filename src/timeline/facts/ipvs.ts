import type { Fact } from "../fact.ts";

const KEP =
  "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/5495-deprecate-ipvs-mode-in-kube-proxy";
const GRADUATION = "KEP-5495, README, Graduation Criteria";

/** The end of ipvs mode and its feature gate. */
export const IPVS_FACTS = [
  {
    id: "ipvs-warning-1.35",
    claim:
      "From 1.35, kube-proxy in ipvs mode logs at error level that the mode is deprecated and emits one Warning event with reason IPVSDeprecation when it starts.",
    source: "kubernetes/kubernetes#134539; cmd/kube-proxy/app/server_linux.go in 1.35.3 and 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/134539",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-gate-1.37",
    claim:
      "1.37 adds the feature gate KubeProxyIPVS, on by default; with the gate off, kube-proxy refuses ipvs mode as it will in 1.40.",
    source: `${GRADUATION}; kubernetes/kubernetes#139397 and #139749`,
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/139397",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-off-1.40",
    claim:
      "In 1.40 KubeProxyIPVS is off by default: kube-proxy in ipvs mode exits with an error that lists the valid modes.",
    source: `${GRADUATION}, Stage 3; kubernetes.io, Virtual IPs and Service Proxies (1.37)`,
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "ipvs-removed-1.43",
    claim:
      "In 1.43 KubeProxyIPVS is locked off and the ipvs code is deleted; a configuration that sets the gate to true is refused.",
    source: `${GRADUATION}, Stage 4; kubernetes.io, Virtual IPs and Service Proxies (1.37)`,
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "ipvs-gate-gone-1.46",
    claim:
      "In 1.46 the gate KubeProxyIPVS is removed: a configuration that names it, with any value, is refused.",
    source: `${GRADUATION}, Cleanup`,
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "ipvs-plan-is-from-2026-05",
    claim:
      "The plan for 1.37, 1.40, 1.43 and 1.46 was made on 28 May 2026; before, KEP-5495 named no version for the removal, so older texts that name one guessed.",
    source: "kubernetes/enhancements#6120",
    sourceUrl: "https://github.com/kubernetes/enhancements/pull/6120",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "unknown-gate-is-fatal",
    claim:
      "kube-proxy refuses to start with a feature gate it does not know, so KubeProxyIPVS in the configuration stops kube-proxy 1.36 and older.",
    source:
      "k8s.io/component-base, featuregate; cmd/kube-proxy/app/options.go, Complete, in 1.32.5 and 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/options.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-settings-have-no-successor",
    claim:
      "The ipvs settings (scheduler, excludeCIDRs, timeouts, strictARP) have no counterpart in nftables mode, which picks endpoints at random.",
    source: "kubeproxy.config.k8s.io/v1alpha1, KubeProxyConfiguration; kubernetes.io, Virtual IPs",
    sourceUrl: "https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-to-iptables-cleanup",
    claim:
      "Switching from ipvs to iptables leaves the ipvs rules behind until kube-proxy --cleanup or a reboot; switching to nftables removes them.",
    source: "cmd/kube-proxy/app/server_linux.go, platformCleanup, in 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/server_linux.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-flush-all",
    claim:
      "kube-proxy --cleanup, and every start of kube-proxy in nftables mode, delete all IPVS services of the node, also those of other software, which has to make them again.",
    source: "cmd/kube-proxy/app/server_linux.go, platformCleanup; pkg/proxy/ipvs, cleanupLeftovers",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/server_linux.go",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "flags-ignored-with-config",
    claim:
      "With --config, kube-proxy takes the file and silently ignores nearly every other flag, --proxy-mode and --feature-gates among them.",
    source: "cmd/kube-proxy/app/options.go, Complete, in 1.32.5 and 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/options.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "mode-is-exact",
    claim:
      "kube-proxy compares the mode exactly: IPVS, Nftables or a value with a space is refused, and nothing falls back to iptables since 1.26.",
    source: "pkg/proxy/apis/config/validation in 1.36.2; kubernetes/kubernetes#111806",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/111806",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kube-ipvs0-addresses",
    claim:
      "In ipvs mode kube-proxy puts the cluster, external and load balancer addresses of Services on the interface kube-ipvs0 of every node, which then takes them for its own; load balancer addresses with ipMode Proxy are left out.",
    source: "pkg/proxy/ipvs/proxier.go, syncService; kubernetes/kubernetes#59976 and #79976; KEP-1860",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/59976",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "invalid-drop-iptables-only",
    claim:
      "Only iptables mode drops packets that conntrack finds invalid, and only iptables mode counts them; ipvs mode never did.",
    source: "kubernetes/kubernetes#74840 (pkg/proxy/iptables only); istio/istio#36566",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/74840",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "chains-are-not-api",
    claim:
      "The iptables chains that kube-proxy makes are no API: nothing else may count on their names or rules, and in nftables mode they do not exist.",
    source: "Kubernetes blog, Kubernetes's IPTables Chains Are Not API (2022-09-07); KEP-3178",
    sourceUrl: "https://kubernetes.io/blog/2022/09/07/iptables-chains-not-api/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
