import { auditCluster } from "#src/audit/audit-cluster.ts";
import type { AwsAccess } from "#src/aws/access.ts";
import { mayPass } from "#src/aws/failure.ts";
import { withVerdicts } from "#src/commands/scan.ts";
import { clusterIdOf } from "#src/inventory/aws/cluster-ref.ts";
import { type ResolveOptions, resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { AuditStore, RunStore } from "#src/store/store.ts";
import { type Delivery, RetryLater } from "./batch.ts";
import type { ClusterMessage } from "./messages.ts";
import { isFinal } from "./outcome.ts";
import type { Telemetry } from "./telemetry.ts";

export interface AuditMessageOptions {
  access: AwsAccess;
  store: Pick<AuditStore, "putAudit" | "latest" | "removeCluster"> & Pick<RunStore, "beginInRun" | "markRun">;
  resolve: Omit<ResolveOptions, "accountTags">;
  /** For reading one cluster, in milliseconds. */
  timeoutMs: number;
  /** kube-proxy logs read in each cluster. */
  logs: number;
  maxAuditAgeHours: number;
  telemetry: Telemetry;
  now: () => Date;
}

/**
 * Audits one cluster and stores the audit. However often the message comes, the run has one audit of the cluster:
 * all deliveries carry the instant at which the first began.
 */
export async function auditMessage(
  message: ClusterMessage,
  { last }: Delivery,
  options: AuditMessageOptions,
): Promise<void> {
  const { access, store, telemetry } = options;
  const { runId } = message;
  const clusterId = clusterIdOf(message);
  const { outcome, begunAt } = await store.beginInRun(runId, clusterId, options.now().toISOString());
  if (isFinal(outcome)) return;

  async function end(ending: "done" | "partial" | "skipped" | "failed", reason: string): Promise<void> {
    await store.markRun(runId, { clusterId, outcome: ending, reason, at: options.now().toISOString() });
    const metric = METRIC_OF[ending];
    if (metric !== null) telemetry.count(metric, 1);
    telemetry.info("cluster ended", { runId, clusterId, ending, reason });
  }

  const { entry, cluster } = await resolveCluster(access, message, {
    ...options.resolve,
    accountTags: message.accountTags,
  });
  if (!last && passes(entry)) throw new RetryLater(entry.reason ?? "AWS did not answer");
  if (cluster === null) {
    if (entry.status === "skipped") await store.removeCluster(clusterId);
    return await end(entry.status === "skipped" ? "skipped" : "failed", entry.reason ?? "");
  }
  const audit = await audited(cluster, new Date(begunAt), options);
  const throttled = audit.unread.find(({ why }) => why === "throttled");
  if (!last && throttled !== undefined) throw new RetryLater(`${throttled.what}: ${throttled.detail}`);
  if (audit.reachable) {
    await store.putAudit(audit);
    telemetry.count("AuditsStored", 1);
    return await end("done", "");
  }
  const inside = await freshFromInside(clusterId, options);
  if (inside !== null) return await end("done", `audited from inside the cluster at ${inside.auditedAt}`);
  await store.putAudit(audit);
  telemetry.count("AuditsStored", 1);
  await end("partial", audit.unread[0]?.detail ?? "its Kubernetes API was not read");
}

const METRIC_OF = {
  done: null,
  partial: "ClustersPartial",
  skipped: "ClustersSkipped",
  failed: "ClustersFailed",
} as const;

function passes(entry: InventoryEntry): boolean {
  return entry.status === "failed" && entry.why !== null && mayPass(entry.why);
}

async function audited(
  cluster: InventoryCluster,
  now: Date,
  { logs, timeoutMs }: Pick<AuditMessageOptions, "logs" | "timeoutMs">,
): Promise<ClusterAudit> {
  const audit = await auditCluster(cluster, { now, logs, limits: { deadlineMs: timeoutMs } });
  return withVerdicts(audit, [], now);
}

/** An audit that the cluster's own CronJob posted says more than one that could not enter; null where none is fresh. */
async function freshFromInside(
  clusterId: string,
  { store, maxAuditAgeHours, now }: Pick<AuditMessageOptions, "store" | "maxAuditAgeHours" | "now">,
): Promise<ClusterAudit | null> {
  const latest = await store.latest(clusterId);
  if (latest?.postedBy === undefined || !latest.reachable) return null;
  const age = now().getTime() - Date.parse(latest.auditedAt);
  return age <= maxAuditAgeHours * 3_600_000 ? latest : null;
}
