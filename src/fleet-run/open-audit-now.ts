import type { NamedText } from "#src/aws/named-text.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { auditNow } from "./audit-now.ts";
import { openFleetAccess, openFleetStore, openResolving, type ResolvingSettings } from "./open.ts";

interface AuditNowSettings extends ResolvingSettings {
  table: string;
  memberRole: string;
  externalId: NamedText | null;
}

/** Audits a cluster when somebody asks, with the settings of the daily runs. */
export async function openAuditNow(
  settings: AuditNowSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<(clusterId: string) => Promise<ClusterAudit>> {
  const options = {
    access: await openFleetAccess(settings, env),
    store: openFleetStore(settings, env),
    resolve: await openResolving(settings, env),
    now: () => new Date(),
  };
  return (clusterId) => auditNow(clusterId, options);
}
