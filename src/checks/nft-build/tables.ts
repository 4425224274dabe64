/** One row of a table: where it comes from, when that was read and how sure it is. */
export interface Sourced {
  source: string;
  checkedAt: string;
  confidence: "high" | "medium" | "low";
}

/** Node images by the start of `osImage`, from a version on and before another where that matters. */
export interface ImageRow extends Sourced {
  family: string;
  osImage: RegExp;
  /** Compared with the first version number in `osImage`. */
  from?: string;
  before?: string;
}

const EKS_NFTABLES = "https://docs.aws.amazon.com/eks/latest/best-practices/nftables.html";
const FIREWALLD =
  "firewalld's nftables backend uses fib expressions itself (IPv6_rpfilter): https://github.com/firewalld/firewalld/issues/1235";

/** Images whose kernel is known to be built with NFT_FIB. What is not here is not known to be good. */
export const NFT_FIB_IMAGES: readonly ImageRow[] = [
  row("Amazon Linux 2023", /^Amazon Linux 2023|^AL2023_/, EKS_NFTABLES, "high"),
  row("Ubuntu", /^Ubuntu /, EKS_NFTABLES, "high"),
  row(
    "Bottlerocket",
    /^bottlerocket/i,
    "kube-proxy runs in nftables mode there: https://github.com/bottlerocket-os/bottlerocket/issues/4548, 4674",
    "medium",
  ),
  {
    ...row("Talos from 1.8", /^Talos /, "https://github.com/siderolabs/pkgs/issues/951", "high"),
    from: "1.8.0",
  },
  row(
    "RHEL 9 and 10 and relatives",
    /^(?:Red Hat Enterprise Linux|Rocky Linux|AlmaLinux|CentOS Stream|Oracle Linux)\D*(?:9|10)\b/,
    FIREWALLD,
    "medium",
  ),
  row("Fedora", /^Fedora /, "https://github.com/kubernetes/kubernetes/issues/136786", "medium"),
  row("SLES and openSUSE 15 and newer", /^(?:SUSE Linux Enterprise|openSUSE)/, FIREWALLD, "medium"),
  row(
    "Debian",
    /^Debian GNU\/Linux/,
    "kOps' tests of nftables mode on Debian 12: https://github.com/kubernetes/kops/pull/17583",
    "medium",
  ),
  row(
    "Container-Optimized OS",
    /^Container-Optimized OS/,
    "Kubernetes' own tests of nftables mode on GCE: https://github.com/kubernetes/kubernetes/pull/124383",
    "medium",
  ),
  row(
    "Azure Linux",
    /^(?:Microsoft )?Azure Linux|^CBL-Mariner/,
    "AKS offers nftables mode on it: https://learn.microsoft.com/azure/aks/configure-kube-proxy",
    "medium",
  ),
  row(
    "Garden Linux",
    /^Garden Linux/,
    "Gardener offers nftables mode: https://github.com/gardener/gardener/pull/13558",
    "medium",
  ),
];

/** Images whose kernel is known to lack NFT_FIB, whatever its version. */
export const NO_NFT_FIB_IMAGES: readonly ImageRow[] = [
  {
    ...row("Talos before 1.8", /^Talos /, "https://github.com/siderolabs/pkgs/issues/951", "high"),
    before: "1.8.0",
  },
];

/** Images whose own nft is 1.1.3 or newer: the sets it makes crash the nft of older kube-proxy images. */
export const NEW_NFT_IMAGES: readonly ImageRow[] = [
  row(
    "RHEL 10 and relatives",
    /^(?:Red Hat Enterprise Linux|Rocky Linux|AlmaLinux|CentOS Stream|Oracle Linux)\D*10\b/,
    "https://github.com/k0sproject/k0s/issues/7293 (AlmaLinux 10.1)",
    "medium",
  ),
  {
    ...row("Fedora from 43", /^Fedora /, "https://github.com/kubernetes/kubernetes/issues/136786", "high"),
    from: "43.0.0",
  },
];

/** The first kube-proxy of each minor that reads such sets; older minors never do, newer ones all do. */
export const NEW_NFT_FIXED_IN: readonly (Sourced & { minor: string; patch: number })[] = [
  fixed("1.33", 10, "https://github.com/kubernetes/kubernetes/pull/137809"),
  fixed("1.34", 6, "https://github.com/kubernetes/kubernetes/pull/137808"),
  fixed("1.35", 3, "https://github.com/kubernetes/kubernetes/pull/137807"),
  fixed("1.36", 0, "https://github.com/kubernetes/kubernetes/pull/137501"),
];

/** EKS builds of kube-proxy whose nft crashes at every sync on an image. The first build that does not is not known. */
export const CRASHING_BUILDS: readonly (Sourced & {
  minor: string;
  patch: number;
  upToBuild: number;
  image: ImageRow;
})[] = [
  {
    minor: "1.36",
    patch: 0,
    upToBuild: 9,
    image: row(
      "Bottlerocket",
      /^bottlerocket/i,
      "https://github.com/kubernetes/kubernetes/issues/140898",
      "high",
    ),
    source: "https://github.com/kubernetes/kubernetes/issues/140898",
    checkedAt: "2026-11-30",
    confidence: "high",
  },
];

function row(family: string, osImage: RegExp, source: string, confidence: Sourced["confidence"]): ImageRow {
  return { family, osImage, source, checkedAt: "2026-11-30", confidence };
}

function fixed(minor: string, patch: number, source: string) {
  return { minor, patch, source, checkedAt: "2026-11-30", confidence: "medium" } as const;
}
