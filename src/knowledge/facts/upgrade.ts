import type { Fact } from "#src/timeline/fact.ts";

/** Other changes that people meet on the same upgrades; no verdict covers them. */
export const UPGRADE_FACTS = [
  {
    id: "selinux-mount-1.37",
    claim:
      "SELinuxMount is generally available and on by default in 1.37: volumes are mounted with the pod's SELinux label; seLinuxChangePolicy: Recursive keeps a pod as it was.",
    source: "kubernetes/kubernetes#139956; kubernetes.io blog, Breaking changes in SELinux volume labeling",
    sourceUrl: "https://github.com/kubernetes/kubernetes/pull/139956",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "static-pods-1.37",
    claim:
      "Static pods that reference API objects (Secrets, ConfigMaps, ServiceAccounts) are refused since 1.34; the gate PreventStaticPodAPIReferences is gone in 1.37, so there is no opting out.",
    source: "kubernetes 1.37 release notes; feature gate PreventStaticPodAPIReferences",
    sourceUrl: "https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "git-repo-1.36",
    claim:
      "gitRepo volumes are off by default since 1.33 and locked off in 1.36: the API still accepts such a pod, and kubelet 1.36 cannot start it.",
    source: "feature gate GitRepoVolumeDriver; kubernetes 1.36 release notes",
    sourceUrl: "https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "kubelet-flags-1.37",
    claim:
      "kubelet 1.37 does not start with deprecated cAdvisor flags such as --containerd and --boot-id-file.",
    source: "kubernetes 1.37 release notes",
    sourceUrl: "https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.37.md",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ingress-nginx-retired",
    claim:
      "Ingress NGINX is retired: best-effort maintenance ended in March 2026; this is not tied to a Kubernetes version.",
    source: "kubernetes.io blog, Ingress NGINX Retirement; kubernetes/ingress-nginx (read-only)",
    sourceUrl: "https://github.com/kubernetes/ingress-nginx",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "containerd-matrix",
    claim:
      "containerd lists 1.7.28 and newer beside Kubernetes 1.35, and only 2.2 and 2.3 beside 1.36; community support of 1.7 ended in 2026.",
    source: "containerd, RELEASES.md, Kubernetes Support",
    sourceUrl: "https://github.com/containerd/containerd/blob/main/RELEASES.md",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "endpoints-deprecated-1.33",
    claim: "The Endpoints API is deprecated since 1.33 in favour of EndpointSlices; no removal is planned.",
    source: "KEP-4974; kubernetes 1.33 release notes",
    sourceUrl: "https://github.com/kubernetes/enhancements/issues/4974",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
