import { createHash } from "node:crypto";
import { type ClusterMatch, matchCluster } from "#src/commands/find-cluster.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";

/**
 * A cluster in a button or a menu: short, and nothing to be typed wrong or cut off. It carries no right to
 * anything; what it stands for is looked up when it comes back.
 */
export function clusterRef(clusterId: string): string {
  return `#${createHash("sha256").update(clusterId).digest("hex").slice(0, 16)}`;
}

/** A cluster by a reference of ours, or by a name as people type it. */
export function clusterBy(audits: readonly ClusterAudit[], wanted: string): ClusterMatch {
  if (!/^#[0-9a-f]{16}$/.test(wanted)) return matchCluster(audits, wanted);
  const audit = audits.find(({ id }) => clusterRef(id) === wanted);
  return audit === undefined ? { kind: "none", nearest: undefined } : { kind: "one", audit };
}
