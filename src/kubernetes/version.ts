/** A Kubernetes version as kubelets, `/version` and image tags write it. */
export interface KubeVersion {
  major: number;
  minor: number;
  /** null where only the minor is given (`1.29`, as AKS's management API writes it). */
  patch: number | null;
  /** Who built it, as far as the suffix tells: `eks`, `gke`, `k3s`, ... `upstream`, `custom`. */
  distribution: string;
  /** True for alpha, beta and rc. A build tag such as `-eks-113cf36` is not a pre-release. */
  prerelease: boolean;
  raw: string;
}

/** A minor version such as `1.35`. */
export type Minor = string;

/** Build tags by the first thing that matches. They follow `-`, `+` or, in image tags, `_`. */
const BUILD_TAGS: readonly (readonly [RegExp, string])[] = [
  [/[-+_.]eks(?:build)?(?=[-+_.\d]|$)/, "eks"],
  [/[-+_.]gke(?=[-+_.\d]|$)/, "gke"],
  [/[-+_.]k3s(?=[-+_.\d]|$)/, "k3s"],
  [/[-+_.]rke2(?=[-+_.r\d]|$)/, "rke2"],
  [/[-+_.](?:aliyun|acs|ack)(?=[-+_.\d]|$)/, "ack"],
  [/[-+_.]tke(?=[-+_.\d]|$)/, "tke"],
  [/[-+_.]k0s(?=[-+_.\d]|$)/, "k0s"],
];
const PRERELEASE = /^-(?:alpha|beta|rc)(?:[.-]?\d+)?(?=[-+_.]|$)/;

/**
 * The version in a kubelet's `kubeletVersion`, in a `/version` answer or in a bare string; null where there is
 * none. In a `/version` answer `gitVersion` wins: `minor` carries a plus sign (`29+`) or is empty in some builds.
 */
export function parseKubeVersion(
  input: string | { major: string; minor: string; gitVersion: string },
): KubeVersion | null {
  if (typeof input === "string") return parseText(input);
  const version =
    parseText(input.gitVersion) ?? parseText(`${input.major}.${input.minor.replace(/\D.*$/, "")}`);
  if (version === null) return null;
  // AKS builds carry no suffix, but their fields agree with each other.
  const agrees = input.major === String(version.major) && parseInt(input.minor, 10) === version.minor;
  return version.distribution === "upstream-or-aks" && !agrees
    ? { ...version, distribution: "upstream" }
    : version;
}

function parseText(raw: string): KubeVersion | null {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?([-+_.].*)?$/i.exec(raw.trim());
  if (match === null) return null;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const patch = match[3] === undefined ? null : Number(match[3]);
  const suffix = match[4] ?? "";
  const prerelease = PRERELEASE.test(suffix);
  return {
    major,
    minor,
    patch,
    distribution: distributionOf(minor, patch, suffix, prerelease),
    prerelease,
    raw,
  };
}

function distributionOf(minor: number, patch: number | null, suffix: string, prerelease: boolean): string {
  const tagged = BUILD_TAGS.find(([pattern]) => pattern.test(suffix));
  if (tagged !== undefined) return tagged[1];
  if (prerelease) return "upstream";
  if (suffix !== "" && suffix !== "+") return "custom";
  if (patch === null) return "aks-arm";
  // AKS nodes report upstream versions unchanged; releases before 1.10 are older than any AKS cluster left.
  return minor < 10 ? "upstream" : "upstream-or-aks";
}

const KUBERNETES_IMAGE = /kube-?proxy|hyperkube|kubernetes/i;

/**
 * The Kubernetes version that an image's tag names; null without a tag (a digest alone), for a tag that is no
 * Kubernetes version (`latest`, OpenShift's `v4.14`) and for an image that is not one of Kubernetes (`busybox:1.36`).
 */
export function versionOfImage(image: string): KubeVersion | null {
  const name = image.trim().replace(/@.*$/, "").split("/").at(-1) ?? "";
  const colon = name.indexOf(":");
  if (colon < 0 || !KUBERNETES_IMAGE.test(name.slice(0, colon))) return null;
  const version = parseText(name.slice(colon + 1));
  return version?.major === 1 ? version : null;
}

/** `1.35` of v1.35.3-eks-113cf36. */
export function minorOf(version: KubeVersion): Minor {
  return `${version.major}.${version.minor}`;
}

/** `1.40` of `1.40`, `v1.40` or `1.40.2`; null for anything else. */
export function parseMinor(text: string): Minor | null {
  const version = parseText(text);
  return version === null ? null : minorOf(version);
}

/** Below zero when `a` is older than `b`. `1.9` is older than `1.10`. Throws a RangeError on what is no version. */
export function compareMinor(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  return left.major - right.major || left.minor - right.minor;
}

/** `1.42` for three minors after `1.39`. */
export function addMinor(minor: string, count: number): Minor {
  const numbers = numbersOf(minor);
  return `${numbers.major}.${numbers.minor + count}`;
}

/** How many minors `to` is after `from`; negative when it is before. */
export function minorsBetween(from: string, to: string): number {
  return numbersOf(to).minor - numbersOf(from).minor;
}

/** The oldest of the list; null when it is empty. */
export function lowestMinor(minors: readonly string[]): Minor | null {
  return minors.toSorted(compareMinor).at(0) ?? null;
}

function numbersOf(minor: string): { major: number; minor: number } {
  const version = parseText(minor);
  if (version === null) throw new RangeError(`not a Kubernetes version: ${minor}`);
  return version;
}
