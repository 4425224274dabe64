import { compareMinor, parseMinor } from "#src/kubernetes/version.ts";

/** What a managed node group's image brings, as far as AWS has published it. */
export interface EksImage {
  /** Major and minor of the Linux kernel; null for Windows. */
  kernel: string | null;
  /** Major version of containerd; null where the release notes do not settle it for this release. */
  containerd: 1 | 2 | null;
  /** Whether kube-proxy's nftables mode accepts the kernel (5.13 or newer by number). */
  nftables: "yes" | "no" | "not-applicable";
  source: string;
}

interface ImageRow {
  amiTypes: RegExp;
  /** Kubernetes minors, both included. */
  from: string;
  to: string;
  kernel: string | null;
  /** null: changed while the row's minors were current, see `CONTAINERD_2`. */
  containerd: 1 | 2 | null;
  source: string;
}

/** Read 2026-11-30. A live node beats the table: it is asked only where nodes could not be read. */
const AMI_CHANGELOG =
  "https://github.com/awslabs/amazon-eks-ami/blob/main/CHANGELOG.md (v20250829 to v20260714)";
const BOTTLEROCKET_VARIANTS = "https://bottlerocket.dev/en/os/ (variants of 1.13 to 1.57)";
const NEWEST_READ = "1.36";

const ROWS: readonly ImageRow[] = [
  row(/^AL2_/, "1.22", "1.32", "5.10", 1, AMI_CHANGELOG),
  row(/^AL2023_ARM_64_NVIDIA$/, "1.29", "1.32", "6.12", null, AMI_CHANGELOG),
  row(/^AL2023_/, "1.28", "1.32", "6.1", null, AMI_CHANGELOG),
  row(/^AL2023_/, "1.33", "1.35", "6.12", 2, AMI_CHANGELOG),
  row(/^AL2023_/, "1.36", NEWEST_READ, "6.18", 2, AMI_CHANGELOG),
  row(/^BOTTLEROCKET_/, "1.22", "1.23", "5.10", 1, BOTTLEROCKET_VARIANTS),
  row(/^BOTTLEROCKET_/, "1.24", "1.27", "5.15", 1, BOTTLEROCKET_VARIANTS),
  row(/^BOTTLEROCKET_/, "1.28", "1.32", "6.1", 1, BOTTLEROCKET_VARIANTS),
  row(/^BOTTLEROCKET_.*_FIPS$/, "1.33", "1.33", "6.1", 2, BOTTLEROCKET_VARIANTS),
  row(/^BOTTLEROCKET_/, "1.33", NEWEST_READ, "6.12", 2, BOTTLEROCKET_VARIANTS),
  row(/^WINDOWS_/, "1.22", NEWEST_READ, null, null, AMI_CHANGELOG),
];

/**
 * AL2023 images moved to containerd 2.1 between these AMI dates (amazon-eks-ami CHANGELOG: 1.31 and 1.32 in October
 * and November 2025, 1.30 in January 2026): before the first all have 1.7, from the second on all have 2.
 */
const CONTAINERD_2: Readonly<Record<string, readonly [string, string]>> = {
  "1.30": ["20260101", "20260201"],
  "1.31": ["20251001", "20251201"],
  "1.32": ["20251001", "20251201"],
};
/** Before any AL2023 image had containerd 2. */
const ALL_CONTAINERD_1_BEFORE = "20251001";

/**
 * Kernel and containerd of a managed node group, from its `amiType`, `releaseVersion` (`1.35.6-20260714`) and
 * `version`. Null for custom images, and for what is newer than the table: an image is then unknown, never assumed.
 */
export function eksImageOf(
  amiType: string,
  releaseVersion: string | null,
  version: string | null,
): EksImage | null {
  const minor = parseMinor(version ?? "") ?? minorOfRelease(amiType, releaseVersion);
  if (minor === null) return null;
  const found = ROWS.find(
    ({ amiTypes, from, to }) =>
      amiTypes.test(amiType) && compareMinor(minor, from) >= 0 && compareMinor(minor, to) <= 0,
  );
  if (found === undefined) return null;
  const { kernel, source } = found;
  const containerd =
    found.containerd ?? (/^AL2023_/.test(amiType) ? containerdByDate(minor, releaseVersion) : null);
  return { kernel, containerd, nftables: nftablesOf(kernel), source };
}

/** A Bottlerocket release names the operating system's version, not Kubernetes'. */
function minorOfRelease(amiType: string, releaseVersion: string | null): string | null {
  if (amiType.startsWith("BOTTLEROCKET_")) return null;
  const match = /^(1\.\d+)\.\d+-\d{8}$/.exec(releaseVersion ?? "");
  return match?.[1] ?? null;
}

function containerdByDate(minor: string, releaseVersion: string | null): 1 | 2 | null {
  const date = /-(\d{8})$/.exec(releaseVersion ?? "")?.[1];
  if (date === undefined) return null;
  const moved = CONTAINERD_2[minor];
  if (moved === undefined) return date < ALL_CONTAINERD_1_BEFORE ? 1 : null;
  const [before, after] = moved;
  if (date < before) return 1;
  return date >= after ? 2 : null;
}

function nftablesOf(kernel: string | null): EksImage["nftables"] {
  if (kernel === null) return "not-applicable";
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 13) ? "yes" : "no";
}

function row(
  amiTypes: RegExp,
  from: string,
  to: string,
  kernel: string | null,
  containerd: 1 | 2 | null,
  source: string,
): ImageRow {
  return { amiTypes, from, to, kernel, containerd, source };
}
