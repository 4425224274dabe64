import { auditCluster } from "#src/audit/audit-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import type { AuditStore } from "#src/store/store.ts";
import { alreadyAt, defaultTargets } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";

export interface ScanOptions {
  now: () => Date;
  /** Target versions; empty: the next minor, 1.40 and 1.43. */
  targets: readonly string[];
  /** Clusters read at a time. */
  concurrency: number;
  /** For one cluster, in milliseconds. */
  timeoutMs: number;
  /** How many kube-proxy logs to read in each cluster. */
  logs: number;
  /** Where audits are kept; null keeps none. */
  store: Pick<AuditStore, "putAudit"> | null;
  onAudited?: (audit: ClusterAudit) => void;
}

/** Audits clusters and computes their verdicts. One that fails does not touch the others. */
export async function scanClusters(
  clusters: readonly InventoryCluster[],
  options: ScanOptions,
): Promise<ScanResult> {
  const startedAt = options.now().toISOString();
  const limiter = createLimiter(Math.max(1, options.concurrency));
  const audits = await Promise.all(clusters.map((cluster) => limiter(() => scanCluster(cluster, options))));
  return { schemaVersion: 1, startedAt, finishedAt: options.now().toISOString(), clusters: audits };
}

async function scanCluster(cluster: InventoryCluster, options: ScanOptions): Promise<ClusterAudit> {
  const now = options.now();
  const audited = await auditCluster(cluster, {
    now,
    logs: options.logs,
    limits: { deadlineMs: options.timeoutMs },
  });
  const audit = withVerdicts(audited, options.targets, now);
  await options.store?.putAudit(audit);
  options.onAudited?.(audit);
  return audit;
}

/** The audit with a verdict for each target that is newer than what the cluster runs. */
export function withVerdicts(audit: ClusterAudit, targets: readonly string[], now: Date): ClusterAudit {
  const wanted = targets.length > 0 ? targets : defaultTargets(audit);
  const verdicts = wanted
    .filter((target) => !alreadyAt(audit, target))
    .map((target) => [target, verdictOf(audit, target, { now })] as const);
  return { ...audit, verdicts: Object.fromEntries(verdicts) };
}

/** Whether every cluster was reached, and nothing failed on the way to finding them. */
export function everythingRead(result: ScanResult): boolean {
  return (
    result.clusters.every((cluster) => cluster.reachable) &&
    (result.inventory ?? []).every((entry) => entry.status !== "failed")
  );
}
