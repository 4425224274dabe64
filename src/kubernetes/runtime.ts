export interface ContainerRuntime {
  /** `containerd`, `cri-o`, `docker`, ...; `unknown` when the node does not say. */
  runtime: string;
  version: string | null;
  major: number | null;
  /** Whether it is containerd 1.x; null when that cannot be told (`containerd://Unknown`). */
  containerd1x: boolean | null;
}

/**
 * A node's `containerRuntimeVersion`, `containerd://2.2.2-bd1.34`: the version is what stands first after the
 * scheme, without package suffixes. A pre-release of 2.0 counts as 2.0.
 */
export function parseContainerRuntime(text: string | null | undefined): ContainerRuntime {
  const match = /^([a-z][a-z0-9.+-]*):\/\/(.*)$/i.exec((text ?? "").trim());
  const runtime = match?.[1]?.toLowerCase() ?? "unknown";
  const version = /^v?(\d+(?:\.\d+)*)/i.exec(match?.[2] ?? "")?.[1] ?? null;
  const major = version === null ? null : Number.parseInt(version, 10);
  return { runtime, version, major, containerd1x: isContainerd1(runtime, major) };
}

function isContainerd1(runtime: string, major: number | null): boolean | null {
  if (runtime === "unknown") return null;
  if (runtime !== "containerd") return false;
  return major === null ? null : major < 2;
}
