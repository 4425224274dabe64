import type { ClusterAudit, ProxyMode, VerdictWord } from "#src/model/cluster-audit.ts";
import type { Waiver } from "#src/model/waiver.ts";
import type { Rollup } from "#src/store/records.ts";
import type { AuditStore, RunStore } from "#src/store/store.ts";
import { MILESTONES } from "#src/verdict/targets.ts";
import { type FleetRow, rowOf } from "./fleet.ts";

/**
 * The day's numbers for the whole fleet and each team, for the burn-down. A cluster that was not reached, or
 * whose audit is stale, counts as not audited and in no mode.
 */
export async function rollUp(
  store: Pick<AuditStore, "latestAll"> & Pick<RunStore, "putRollup">,
  options: { now: Date; waivers: readonly Waiver[] },
): Promise<Rollup[]> {
  const rows: FleetRow[] = [];
  for await (const audit of store.latestAll()) rows.push(rowOf(audit, options));
  const date = options.now.toISOString().slice(0, "2027-03-01".length);
  const teams = [...new Set(rows.flatMap(({ audit }) => audit.team ?? []))].toSorted();
  const rollups = [
    rollupOf(date, null, rows),
    ...teams.map((team) =>
      rollupOf(
        date,
        team,
        rows.filter((row) => row.audit.team === team),
      ),
    ),
  ];
  for (const rollup of rollups) await store.putRollup(rollup);
  return rollups;
}

function rollupOf(date: string, team: string | null, rows: readonly FleetRow[]): Rollup {
  const audited = rows.filter((row) => row.audit.reachable && !row.stale);
  const modes: Partial<Record<ProxyMode, number>> = {};
  for (const { audit } of audited) modes[audit.dataPlane.mode] = (modes[audit.dataPlane.mode] ?? 0) + 1;
  const verdicts = Object.fromEntries(
    MILESTONES.map((target) => {
      const words: Partial<Record<VerdictWord, number>> = {};
      for (const row of rows) {
        const word = row.verdicts[target];
        if (word !== undefined) words[word] = (words[word] ?? 0) + 1;
      }
      return [target, words];
    }),
  );
  return { date, team, clusters: rows.length, notAudited: rows.length - audited.length, modes, verdicts };
}

/** Whether a cluster still has to leave ipvs: what the burn-down burns down. */
export function stillOnIpvs(audit: ClusterAudit): boolean {
  return audit.dataPlane.mode === "ipvs" || audit.dataPlane.mode === "mixed";
}
