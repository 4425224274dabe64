import { auditCluster } from "#src/audit/audit-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import { type NotSeen, notSeen } from "#src/model/observed.ts";
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
  /** Ask kube-proxies for their mode by `get pods/proxy`. */
  podsProxy?: boolean;
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
  const { logs, podsProxy } = options;
  const how = { now, logs, podsProxy, limits: { deadlineMs: options.timeoutMs } };
  const audited = await auditCluster(cluster, how).catch((error: unknown) =>
    // A fault of ours in one cluster must not cost the others their audit.
    auditCluster({ ...cluster, open: async () => failed(cluster, error, now) }, how),
  );
  const audit = withVerdicts(audited, options.targets, now);
  await options.store?.putAudit(audit);
  options.onAudited?.(audit);
  return audit;
}

function failed(cluster: InventoryCluster, error: unknown, now: Date): NotSeen {
  const message = error instanceof Error ? error.message : String(error);
  const source = { kind: "kubernetes", ref: cluster.id, at: now.toISOString() } as const;
  return notSeen("invalid", `the audit failed, which is a fault of proxy-audit: ${message}`, source);
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
