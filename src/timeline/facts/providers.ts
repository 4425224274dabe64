import type { Fact } from "../fact.ts";

const EKS_VERSIONS = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions-standard.html";

/** What providers say or do differently from upstream. */
export const PROVIDER_FACTS = [
  {
    id: "eks-announcement",
    claim:
      "AWS writes that ipvs mode is removed in Kubernetes 1.36; upstream, ipvs runs in 1.36 to 1.39, and no source says that EKS takes it out of its builds.",
    source: "Amazon EKS user guide, standard support versions, Kubernetes 1.35, Deprecation Notice",
    sourceUrl: EKS_VERSIONS,
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "announced",
  },
  {
    id: "eks-addon-schema",
    claim:
      "The configuration schema of an EKS kube-proxy add-on build lists the modes it accepts; an update with another mode fails and the old DaemonSet stays.",
    source: "Amazon EKS API, DescribeAddonConfiguration; aws/containers-roadmap#2216",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/APIReference/API_DescribeAddonConfiguration.html",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "eks-nftables-1.33",
    claim: "The EKS kube-proxy add-on accepts nftables mode on clusters of 1.33 and newer.",
    source: "Amazon EKS best practices, nftables; awslabs/amazon-eks-ami#2329",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/best-practices/nftables.html",
    checkedAt: "2026-11-30",
    confidence: "medium",
    certainty: "released",
  },
  {
    id: "eks-support",
    claim:
      "EKS supports a version for 14 months and 12 more of extended support; then it upgrades the control plane by itself, and leaves kube-proxy and nodes as they are.",
    source: "Amazon EKS user guide, Understand the Kubernetes version lifecycle on EKS",
    sourceUrl: "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "aks-no-date",
    claim:
      "AKS offers ipvs and nftables as preview modes (nftables on 1.33 and newer), recommends nftables in place of ipvs and has announced no end of ipvs.",
    source: "Microsoft Learn, Configure kube-proxy in AKS (2026-01-28); AKS CHANGELOG to 2026-07-17",
    sourceUrl: "https://learn.microsoft.com/azure/aks/configure-kube-proxy",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "ack-default-ipvs",
    claim:
      "Alibaba ACK creates clusters in ipvs mode even on 1.35, and asks to plan the migration to nftables or Dataplane V2 before the next upgrade.",
    source: "ACK release notes for Kubernetes 1.35 (2026-03-25)",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "announced",
  },
  {
    id: "talos-default-nftables",
    claim:
      "Talos 1.8 and newer runs kube-proxy in nftables mode on Kubernetes 1.31 and newer where no mode is set.",
    source: "siderolabs/talos, release notes 1.8 and kube-proxy manifest",
    sourceUrl: "https://github.com/siderolabs/talos/releases/tag/v1.8.0",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
