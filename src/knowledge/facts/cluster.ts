import type { Fact } from "#src/timeline/fact.ts";

/** What runs beside kube-proxy, and how its mode shows: facts that only answers rest on. */
export const CLUSTER_FACTS = [
  {
    id: "calico-ebpf-replaces",
    claim:
      "Calico's eBPF data plane (linuxDataplane: BPF, or bpfEnabled) replaces kube-proxy; its iptables and nftables data planes do not.",
    source: "Calico documentation, eBPF data plane; Installation and FelixConfiguration",
    sourceUrl: "https://docs.tigera.io/calico/latest/operations/ebpf/enabling-ebpf",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kube-router-own-ipvs",
    claim:
      "kube-router programs IPVS itself (run-service-proxy, on by default), so the end of kube-proxy's ipvs mode does not touch it.",
    source: "kube-router user guide, --run-service-proxy",
    sourceUrl: "https://github.com/cloudnativelabs/kube-router/blob/master/docs/user-guide.md",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "kube-vip-own-ipvs",
    claim:
      "kube-vip's control plane load balancer (lb_enable) uses the kernel's IPVS itself, whatever mode kube-proxy runs.",
    source: "kube-vip/kube-vip#745 and #895; nftables work in #1592",
    sourceUrl: "https://github.com/kube-vip/kube-vip/pull/1592",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "lvscare-own-ipvs",
    claim:
      "lvscare balances the API servers on each node with its own IPVS rules; it is not part of kube-proxy.",
    source: "labring/lvscare, README",
    sourceUrl: "https://github.com/labring/lvscare",
    checkedAt: "2026-11-30",
    confidence: "low",
    certainty: "released",
  },
  {
    id: "nftables-flushes-ipvs",
    claim:
      "kube-proxy in nftables mode flushes every IPVS rule of the node each time it starts, whoever made it, and so does kube-proxy --cleanup; iptables mode leaves them.",
    source:
      "kubernetes/kubernetes, pkg/proxy/ipvs/cleanup.go; cmd/kube-proxy/app/server_linux.go, platformCleanup",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/ipvs/cleanup.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nftables-table-names",
    claim: "nftables mode keeps its rules in the tables ip kube-proxy and ip6 kube-proxy.",
    source: "kubernetes.io, Virtual IPs and Service Proxies, nftables proxy mode",
    sourceUrl: "https://kubernetes.io/docs/reference/networking/virtual-ips/#proxy-mode-nftables",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "mode-in-log",
    claim:
      'kube-proxy logs "Using ipvs Proxier", "Using iptables Proxier" or "Using nftables Proxier" once, when it starts.',
    source: "cmd/kube-proxy/app/server_linux.go in 1.32.5 to 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/server_linux.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "mode-endpoint",
    claim:
      "/proxyMode on kube-proxy's metrics port 10249 answers with the running mode; the port is bound to loopback unless metricsBindAddress changes it.",
    source: "cmd/kube-proxy/app/server.go in 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/server.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "metrics-by-mode",
    claim:
      "No metric names the mode, but each mode registers its own: sync_proxy_rules_iptables_total in iptables mode only, nftables_sync_failures_total and nftables_cleanup_failures_total in nftables mode only.",
    source: "pkg/proxy/metrics/metrics.go in 1.32.5 to 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/proxy/metrics/metrics.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "localhost-metric",
    claim:
      "kubeproxy_iptables_localhost_nodeports_accepted_packets_total and kubeproxy_iptables_ct_state_invalid_dropped_packets_total exist in iptables mode only.",
    source: "pkg/proxy/metrics/metrics.go in 1.32.5 to 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/proxy/metrics/metrics.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "switch-is-disruptive",
    claim:
      "Changing the proxy mode is a disruptive change: kube-proxy removes the old mode's rules when it starts and serves Services again after its first sync.",
    source:
      "Amazon EKS best practices, nftables; cmd/kube-proxy/app/server_linux.go, platformCleanup, in 1.36.2",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/best-practices/nftables.html",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "ipvs-no-maintainers",
    claim:
      "SIG Network removes ipvs mode because nobody maintains it, and because kernels too old for nftables leave long-term support by the end of 2026.",
    source: "KEP-5495, README, Motivation",
    sourceUrl:
      "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/5495-deprecate-ipvs-mode-in-kube-proxy",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ipvs-scheduler-per-node",
    claim:
      "Each node's kube-proxy balances by the connections that node itself has opened, so ipvs schedulers such as lc do not see the cluster's load; KEP-5495 calls them not actually useful.",
    source: "KEP-5495, README, Motivation",
    sourceUrl:
      "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/5495-deprecate-ipvs-mode-in-kube-proxy",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "eks-auto-mode",
    claim:
      "On EKS Auto Mode and Fargate, AWS runs kube-proxy as part of the node; there is no DaemonSet, no ConfigMap and no setting for its mode.",
    source: "Amazon EKS user guide, EKS Auto Mode and Fargate",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/userguide/automode.html",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "k3s-defaults",
    claim: "k3s and RKE2 start kube-proxy with --proxy-mode=iptables unless kube-proxy-arg says otherwise.",
    source: "k3s-io/k3s, pkg/daemons/agent; rancher/rke2",
    sourceUrl: "https://github.com/k3s-io/k3s",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kops-rhel10",
    claim: "kOps 1.35 and newer sets nftables mode on the RHEL 10 family, where iptables does not work.",
    source: "kubernetes/kops, kube-proxy options",
    sourceUrl: "https://github.com/kubernetes/kops",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
