export interface LinuxKernel {
  major: number;
  minor: number;
}

export type NftablesKernel = "yes" | "no" | "unknown" | "not-applicable";

/** kube-proxy 1.36, pkg/util/kernel/constants.go: NFTablesKubeProxyKernelVersion = "5.13". */
const NFTABLES_KERNEL: LinuxKernel = { major: 5, minor: 13 };

/** Windows reports `10.0.<build>`, which would pass for a new Linux kernel. */
const WINDOWS_BUILD = /^10\.0\.\d{5}(?:\.\d+)?(?:\s|$)/;

/**
 * Major and minor of a node's `kernelVersion`, also with the architecture that the node Table of 1.36.2 and
 * later appends (`5.15.0-101-generic (amd64)`). Null for Windows, for `<unknown>`, an empty value and the made-up
 * ones of virtual nodes (`fake`, `kwok-v0.5.2`). Where the operating system was not read, pass an empty string.
 */
export function parseLinuxKernel(
  kernelVersion: string | null | undefined,
  operatingSystem: string | null | undefined,
): LinuxKernel | null {
  if (isOtherSystem(kernelVersion, operatingSystem)) return null;
  const match = /^(\d+)\.(\d+)(?!\d)/.exec((kernelVersion ?? "").trim());
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

/**
 * Whether kube-proxy's nftables mode accepts the kernel. kube-proxy compares version numbers, so what a vendor
 * has ported back to an older kernel (RHEL 8's 4.18) does not count.
 */
export function nftablesKernel(
  kernelVersion: string | null | undefined,
  operatingSystem: string | null | undefined,
): NftablesKernel {
  if (isOtherSystem(kernelVersion, operatingSystem)) return "not-applicable";
  const kernel = parseLinuxKernel(kernelVersion, operatingSystem);
  if (kernel === null) return "unknown";
  return compareKernels(kernel, NFTABLES_KERNEL) >= 0 ? "yes" : "no";
}

/** Below zero when `a` is older than `b`. */
export function compareKernels(a: LinuxKernel, b: LinuxKernel): number {
  return a.major - b.major || a.minor - b.minor;
}

function isOtherSystem(
  kernelVersion: string | null | undefined,
  operatingSystem: string | null | undefined,
): boolean {
  const system = (operatingSystem ?? "").trim().toLowerCase();
  if (system === "" || system.startsWith("<")) return WINDOWS_BUILD.test((kernelVersion ?? "").trim());
  return system !== "linux";
}
