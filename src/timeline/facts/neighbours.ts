import type { Fact } from "../fact.ts";

/** CNIs, builds, images and sizes that are known to go badly, or well, with nftables kube-proxy. */
export const NEIGHBOUR_FACTS = [
  {
    id: "vpc-cni-nftables",
    claim:
      "Amazon VPC CNI before 1.23.0 with external SNAT off breaks ClusterIPs under nftables kube-proxy for pods on secondary network interfaces.",
    source:
      "aws/amazon-vpc-cni-k8s#3563, rework #3588; Amazon EKS best practices, nftables (compatible from 1.23.0)",
    sourceUrl: "https://github.com/aws/amazon-vpc-cni-k8s/issues/3563",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "vpc-cni-agent",
    claim: "Amazon VPC CNI 1.23.0 and newer must run with network policy agent 1.4.1 or newer.",
    source: "aws/amazon-vpc-cni-k8s, README and release 1.23.0",
    sourceUrl: "https://github.com/aws/amazon-vpc-cni-k8s",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "vpc-cni-calico-ebpf",
    claim: "Amazon VPC CNI 1.23.0 wipes the packet marks that Calico's eBPF data plane sets.",
    source: "aws/amazon-vpc-cni-k8s#3872",
    sourceUrl: "https://github.com/aws/amazon-vpc-cni-k8s/issues/3872",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "vpc-cni-sgp-standard",
    claim:
      "Security groups for pods work with ipvs only in enforcing mode standard; strict needs another kube-proxy mode.",
    source: "aws/amazon-vpc-cni-k8s, README, POD_SECURITY_GROUP_ENFORCING_MODE",
    sourceUrl: "https://github.com/aws/amazon-vpc-cni-k8s#pod_security_group_enforcing_mode-v1110",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "bottlerocket-network-policy",
    claim:
      "On Bottlerocket with EKS 1.34, nftables kube-proxy and the VPC CNI's network policies, pods lost connectivity after about a day; the report is open.",
    source: "bottlerocket-os/bottlerocket#4674",
    sourceUrl: "https://github.com/bottlerocket-os/bottlerocket/issues/4674",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "calico-nftables-version",
    claim:
      "Calico learned nftables in 3.29, Tigera asks for 3.30 or newer, and Calico 3.27 panics beside nftables kube-proxy.",
    source: "projectcalico/calico#8025; Tigera, Calico nftables data plane",
    sourceUrl: "https://github.com/projectcalico/calico/issues/8025",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "calico-nftables-match",
    claim:
      "Calico's data plane must match kube-proxy's: Calico in nftables mode requires kube-proxy in nftables mode, and a mismatch loses Service traffic.",
    source: "Tigera, Calico nftables data plane; projectcalico/calico#10582",
    sourceUrl: "https://docs.tigera.io/calico/latest/getting-started/kubernetes/nftables",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "flannel-nftables",
    claim:
      "Flannel writes iptables rules unless EnableNFTables is true in net-conf.json; kubespray turns it on together with nftables kube-proxy.",
    source: "flannel-io/flannel, Documentation/configuration.md; kubespray, roles/network_plugin/flannel",
    sourceUrl: "https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "cilium-partial",
    claim:
      "Cilium with kube-proxy-replacement false, partial or probe leaves Services, or part of them, to kube-proxy; true (strict before 1.14) replaces it.",
    source: "Cilium, Kubernetes Without kube-proxy",
    sourceUrl: "https://docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free/",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "azure-npm-ipvs",
    claim: "AKS does not support Azure Network Policy Manager together with kube-proxy in ipvs mode.",
    source: "Microsoft Learn, Configure kube-proxy in AKS; Azure/AKS#5061",
    sourceUrl: "https://learn.microsoft.com/azure/aks/configure-kube-proxy",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "bottlerocket-1.36-crash",
    claim:
      "On Bottlerocket with EKS 1.36, kube-proxy v1.36.0-eksbuild.9 crashes its nft at every sync in nftables mode and works in ipvs mode.",
    source: "kubernetes/kubernetes#140898",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/140898",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nft-host-el10",
    claim:
      "AlmaLinux 10.1 ships an nft new enough to crash older kube-proxy images in nftables mode; the same holds for its relatives.",
    source: "k0sproject/k0s#7293",
    sourceUrl: "https://github.com/k0sproject/k0s/issues/7293",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "nft-fib",
    claim:
      "nftables kube-proxy needs a kernel built with NFT_FIB for IPv4 and IPv6, whatever its version; Talos has it from 1.8.",
    source: "siderolabs/pkgs#951, #953",
    sourceUrl: "https://github.com/siderolabs/pkgs/issues/951",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "masquerade-all",
    claim:
      "masqueradeAll of the iptables section counts for iptables and ipvs mode; nftables mode reads its own nftables.masqueradeAll.",
    source: "k8s.io/kube-proxy, config/v1alpha1/types.go; aws/containers-roadmap#2826",
    sourceUrl: "https://github.com/kubernetes/kube-proxy/blob/master/config/v1alpha1/types.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "sync-5000-services",
    claim:
      "With 5,006 Services and 250,011 endpoints the first nftables sync took 13 to 20 minutes on kernel 6.1; 1.36 improved it.",
    source: "kubernetes/kubernetes#135639",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/135639",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "sync-44000-services",
    claim:
      "With 44,125 Services one full nftables sync of kube-proxy 1.36.1 took almost 17 minutes: its time grows faster than the number of Services.",
    source: "kubernetes/kubernetes#139513",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/139513",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "sync-cold-start",
    claim: "Every new node of a large cluster pays for the first nftables sync before its Services work.",
    source: "kubernetes/kubernetes#139328",
    sourceUrl: "https://github.com/kubernetes/kubernetes/issues/139328",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "eks-ipvs-1000-services",
    claim: "AWS recommended ipvs above 1,000 Services, for the time that iptables takes to sync.",
    source: "Amazon EKS best practices, Running kube-proxy in IPVS mode (2026-05-04)",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/best-practices/ipvs.html",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "bottlerocket-iptables-slow",
    claim:
      "Bottlerocket's aws-k8s-1.34 runs iptables on the nftables backend: rule syncs of iptables mode took 5 to 6 times longer at 877 Services.",
    source: "bottlerocket-os/bottlerocket#4762",
    sourceUrl: "https://github.com/bottlerocket-os/bottlerocket/issues/4762",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "cgroup-v1-signals",
    claim:
      "The Node object does not say which cgroup version a node uses; the kubelet's CgroupV1 event and its metric kubelet_cgroup_version (1.31 and newer) do.",
    source: "KEP-5573; pkg/kubelet/metrics/metrics.go in 1.36.2",
    sourceUrl: "https://github.com/kubernetes/enhancements/issues/5573",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "config-read-at-start",
    claim:
      "kube-proxy takes its configuration up when it starts: an edited ConfigMap takes effect with the next restart of each pod, which an upgrade brings.",
    source: "cmd/kube-proxy/app/options.go in 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/options.go",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "sync-metrics",
    claim:
      "kube-proxy counts failed syncs by mode and exports when it last synced and when a change was last queued; from 1.33 on a failure counter has no series before the first failure.",
    source: "pkg/proxy/metrics/metrics.go in 1.32.5 to 1.36.2",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/proxy/metrics/metrics.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
