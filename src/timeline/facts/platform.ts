import type { Fact } from "../fact.ts";

const KEP_4033 =
  "https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/4033-group-driver-detection-over-cri";

/** Version skew, the release calendar, container runtime, cgroups, and what was built around ipvs. */
export const PLATFORM_FACTS = [
  {
    id: "version-skew",
    claim:
      "kube-proxy may be up to three minor versions older than the API server (two before 1.25), never newer.",
    source: "kubernetes.io, Version Skew Policy",
    sourceUrl: "https://kubernetes.io/releases/version-skew-policy/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "release-calendar",
    claim:
      "Kubernetes has three minor releases a year, in April, August and December, each patched for about 14 months.",
    source: "kubernetes/sig-release; kubernetes.io, Releases",
    sourceUrl: "https://kubernetes.io/releases/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "containerd1-1.38",
    claim:
      "kubelet 1.38 is planned to stop starting with containerd 1.x; the plan said 1.36, then 1.37, and the change was not merged in October 2026.",
    source: "KEP-4033; kubernetes/kubernetes#136731, #136846 and #139121",
    sourceUrl: KEP_4033,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "containerd1-still-runs",
    claim:
      "kubelet 1.35, 1.36 and 1.37 run with containerd 1.7: they log a warning and use their own setting.",
    source: "cmd/kubelet/app/server.go in 1.36.2, RuntimeConfig; 1.37 release notes",
    sourceUrl: KEP_4033,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "cgroup-v1-1.35",
    claim:
      "kubelet 1.35 and newer does not start on a cgroup v1 host unless failCgroupV1 is false; no version is set for the removal of the code.",
    source: "KEP-5573; pkg/kubelet/apis/config/v1beta1/defaults.go in 1.35.3",
    sourceUrl: "https://github.com/kubernetes/enhancements/issues/5573",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "external-ips",
    claim:
      "Service externalIPs are deprecated in 1.36; kube-proxy is to ignore them by default in 1.40 and support is to be removed in 1.43 (tentative).",
    source: "KEP-5707, README, Proposal",
    sourceUrl: "https://github.com/kubernetes/enhancements/issues/5707",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "planned",
  },
  {
    id: "strict-arp",
    claim:
      "MetalLB and kube-vip need strictARP only where kube-proxy runs in ipvs mode; afterwards the setting does nothing.",
    source: "metallb/metallb#2919; MetalLB, Installation, Preparation",
    sourceUrl: "https://metallb.io/installation/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "node-local-dns",
    claim:
      "NodeLocal DNSCache set up for ipvs stays necessary after the migration, because pods keep its address in resolv.conf; set up for iptables it programs iptables rules only.",
    source: "kubernetes.io, Using NodeLocal DNSCache; kubernetes/dns#682",
    sourceUrl: "https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
