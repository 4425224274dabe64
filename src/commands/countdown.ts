import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { AuditStore } from "#src/store/store.ts";
import { type CountdownTo, countdown } from "#src/timeline/countdown.ts";
import { type MigrationWindow, windowFor } from "#src/timeline/window.ts";

export interface CountdownView {
  team: string | null;
  countdown: { to140: CountdownTo; to143: CountdownTo };
  /** Clusters that the end of ipvs or the new default breaks as they are configured, the earliest first. */
  affected: { audit: ClusterAudit; window: MigrationWindow }[];
  /** Clusters that it cannot be said of: not reached, or of unknown mode. */
  unknown: ClusterAudit[];
  total: number;
  /** The oldest audit that this rests on; null without any. */
  oldest: string | null;
}

/** How far away the two ends of ipvs mode are, and each concerned cluster's own window. */
export async function countdownView(
  store: Pick<AuditStore, "latestAll">,
  team: string | null,
  now: Date,
): Promise<CountdownView> {
  const audits = await Array.fromAsync(store.latestAll(team === null ? {} : { team }));
  const windows = audits.map((audit) => ({ audit, window: windowOf(audit, now) }));
  return {
    team,
    countdown: countdown(now),
    affected: windows
      .flatMap(({ audit, window }) => (window?.applies === "yes" ? [{ audit, window }] : []))
      .toSorted(
        (a, b) =>
          a.window.offered.from.localeCompare(b.window.offered.from) ||
          a.audit.name.localeCompare(b.audit.name),
      ),
    unknown: windows.flatMap(({ audit, window }) =>
      !audit.reachable || window?.applies === "possible" ? [audit] : [],
    ),
    total: audits.length,
    oldest: audits.map((audit) => audit.auditedAt).toSorted()[0] ?? null,
  };
}

function windowOf(audit: ClusterAudit, now: Date): MigrationWindow | null {
  const { dataPlane, provider, kubernetesVersion, kubeProxyVersions } = audit;
  return windowFor(
    {
      mode: dataPlane.mode,
      effectiveGate: dataPlane.featureGates.KubeProxyIPVS,
      provider,
      kubernetesVersion,
      kubeProxyVersions,
    },
    now,
  );
}
