import type { Fact } from "../fact.ts";

const KEP =
  "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/5343-nftables-to-default";

/** What kube-proxy runs where nobody chose a mode, and kubeadm's part in it. */
export const DEFAULT_MODE_FACTS = [
  {
    id: "default-mode-iptables",
    claim:
      "Through 1.37, kube-proxy on Linux runs iptables mode where no mode is set, without looking at kernel or nft.",
    source: "cmd/kube-proxy/app/options.go, platformApplyDefaults, in 1.32.5 and 1.36.2; 1.37 release notes",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kube-proxy/app/server_linux.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "default-mode-warning-1.37",
    claim:
      "From 1.37, kube-proxy warns when it starts without a mode, because the default on Linux will become nftables.",
    source: "kubernetes/kubernetes#139957, release note",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/139957",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "default-nftables-1.40",
    claim:
      "In 1.40 the default mode on Linux becomes nftables, without a gate and without falling back on an old kernel: a node below 5.13 with no mode set is left broken.",
    source: "KEP-5343, README, Graduation Criteria, GA (status provisional)",
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "planned",
  },
  {
    id: "mixed-modes-supported",
    claim: "Nodes in iptables mode and nodes in nftables mode may serve one cluster during a roll-out.",
    source: "KEP-5343, README, Version Skew Strategy",
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "windows-not-affected",
    claim: "On Windows kube-proxy has one mode, kernelspace, which neither change touches.",
    source: "pkg/proxy/apis/config/validation, validateProxyModeWindows, in 1.36.2",
    sourceUrl: "https://kubernetes.io/docs/reference/networking/virtual-ips/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kubeadm-writes-mode-1.37",
    claim:
      "kubeadm 1.37 writes mode: iptables where no mode is set, and warns about mode: ipvs; kubeadm 1.36 and older left the mode empty.",
    source: "kubernetes/kubernetes#139777 and #139067",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/139777",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kubeadm-keeps-config",
    claim:
      "kubeadm upgrade reads kube-proxy's configuration back from its ConfigMap and keeps the mode; only old KubeProxyConfiguration fed in again puts ipvs back.",
    source: "cmd/kubeadm/app/componentconfigs/configset.go in 1.36.2; kubernetes/kubeadm#2785",
    sourceUrl:
      "https://github.com/kubernetes/kubernetes/blob/v1.36.2/cmd/kubeadm/app/componentconfigs/configset.go",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kubeadm-kernels-1.32",
    claim:
      "kubeadm 1.32 and 1.33 refuse kernels before 4.19 in the preflight check, whatever the proxy mode; kubeadm 1.34 and newer only warn about kernels that are not on the list.",
    source: "kubernetes/kubernetes#129462 (1.32); #131919, release note (1.34)",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/131919",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kubeadm-kernels-1.39",
    claim:
      "From 1.39 kubeadm's preflight check no longer accepts kernels 5.4 and 5.10, and accepts 5.14 and 5.15; since 1.34 the check is a warning.",
    source: "KEP-5343, README, Graduation Criteria, Beta, and Kernel support",
    sourceUrl: KEP,
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "planned",
  },
] as const satisfies readonly Fact[];
