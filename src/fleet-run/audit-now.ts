import { auditCluster } from "#src/audit/audit-cluster.ts";
import type { AwsAccess } from "#src/aws/access.ts";
import { withVerdicts } from "#src/commands/scan.ts";
import { clusterRefOf } from "#src/inventory/aws/cluster-ref.ts";
import { type ResolveOptions, resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { AuditStore } from "#src/store/store.ts";
import { CLUSTER_LOGS, CLUSTER_TIMEOUT_MS } from "./limits.ts";

/**
 * Audits one cluster because somebody asked, between the daily runs, and stores the audit. Whose it is stays as the
 * last run had it where the cluster's own tags do not say: accounts' tags are read by runs only.
 *
 * @throws ProxyAuditError `usage` for a cluster that cannot be read from here, `aws` where its account cannot be
 * entered, `not-found` where it is gone.
 */
export async function auditNow(
  clusterId: string,
  options: {
    access: AwsAccess;
    store: Pick<AuditStore, "putAudit" | "latest">;
    resolve: Omit<ResolveOptions, "accountTags">;
    now: () => Date;
  },
): Promise<ClusterAudit> {
  const ref = clusterRefOf(clusterId);
  if (ref === null) {
    const message = `${clusterId} is not an EKS cluster: its audits are posted from inside, once a day.`;
    throw new ProxyAuditError("usage", message, { cluster: clusterId });
  }
  const { access, store, resolve } = options;
  const { entry, cluster } = await resolveCluster(access, ref, { ...resolve, accountTags: {} });
  if (cluster === null) {
    const code = entry.status === "skipped" ? "not-found" : "aws";
    throw new ProxyAuditError(code, `${ref.name}: ${entry.reason}`, { cluster: ref.name });
  }
  const before = await store.latest(clusterId);
  const now = options.now();
  const audited = await auditCluster(
    {
      ...cluster,
      team: cluster.team ?? before?.team ?? null,
      environment: cluster.environment ?? before?.environment ?? null,
    },
    { now, logs: CLUSTER_LOGS, limits: { deadlineMs: CLUSTER_TIMEOUT_MS } },
  );
  const audit = withVerdicts(audited, [], now);
  await store.putAudit(audit);
  return audit;
}
