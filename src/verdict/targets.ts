import { addMinor, compareMinor, parseMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

/** Versions with a verdict in every scan, beside the next one: where ipvs is off, and where it is gone. */
export const MILESTONES = ["1.40", "1.43"] as const;

const NEWEST_TARGET = "1.60";

/**
 * A target version as people write it (`1.40`, `v1.40`, `1.40.2`), as a minor.
 *
 * @throws ProxyAuditError `usage` where it is none.
 */
export function parseTarget(text: string): string {
  const minor = /^v?\d+\.\d+(\.\d+)?$/.test(text.trim()) ? parseMinor(text.trim()) : null;
  if (minor === null || compareMinor(minor, "1.20") < 0 || compareMinor(minor, NEWEST_TARGET) > 0) {
    throw new ProxyAuditError(
      "usage",
      `"${text}" is not a Kubernetes version to upgrade to. Give one like 1.40.`,
    );
  }
  return minor;
}

/** The targets of a scan that names none: the next minor, 1.40 and 1.43, without those already reached. */
export function defaultTargets(audit: ClusterAudit): string[] {
  const { kubernetesVersion } = audit;
  if (kubernetesVersion === null) return [...MILESTONES];
  const targets = new Set([addMinor(kubernetesVersion, 1), ...MILESTONES]);
  return [...targets].filter((target) => compareMinor(target, kubernetesVersion) > 0).toSorted(compareMinor);
}

/** True where the cluster already runs the target or something newer: no upgrade, so no verdict. */
export function alreadyAt(audit: ClusterAudit, target: string): boolean {
  return audit.kubernetesVersion !== null && compareMinor(target, audit.kubernetesVersion) <= 0;
}
