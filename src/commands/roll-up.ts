import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Waiver } from "#src/model/waiver.ts";
import type { Rollup } from "#src/store/records.ts";
import type { AuditStore, RunStore } from "#src/store/store.ts";
import { MILESTONES } from "#src/verdict/targets.ts";
import { type FleetRow, rowOf } from "./fleet.ts";

/**
 * The day's numbers for the whole fleet and each team, for the burn-down, in one pass that holds no audit. A cluster
 * that was not reached, or whose audit is stale, counts as not audited and in no mode.
 */
export async function rollUp(
  store: Pick<AuditStore, "latestAll"> & Pick<RunStore, "putRollup">,
  options: { now: Date; waivers: readonly Waiver[] },
): Promise<Rollup[]> {
  const date = options.now.toISOString().slice(0, "2027-03-01".length);
  const fleet = emptyRollup(date, null);
  const teams = new Map<string, Rollup>();
  for await (const audit of store.latestAll()) {
    const row = rowOf(audit, options);
    addTo(fleet, row);
    if (audit.team === null) continue;
    const team = teams.get(audit.team) ?? emptyRollup(date, audit.team);
    teams.set(audit.team, team);
    addTo(team, row);
  }
  const byName = [...teams.values()].toSorted((a, b) => ((a.team ?? "") < (b.team ?? "") ? -1 : 1));
  const rollups = [fleet, ...byName];
  for (const rollup of rollups) await store.putRollup(rollup);
  return rollups;
}

function emptyRollup(date: string, team: string | null): Rollup {
  const verdicts = Object.fromEntries(MILESTONES.map((target) => [target, {}]));
  return { date, team, clusters: 0, notAudited: 0, modes: {}, verdicts };
}

function addTo(rollup: Rollup, { audit, verdicts, stale }: FleetRow): void {
  rollup.clusters += 1;
  const { mode } = audit.dataPlane;
  if (audit.reachable && !stale) rollup.modes[mode] = (rollup.modes[mode] ?? 0) + 1;
  else rollup.notAudited += 1;
  for (const target of MILESTONES) {
    const word = verdicts[target];
    const counts = rollup.verdicts[target];
    if (word !== undefined && counts !== undefined) counts[word] = (counts[word] ?? 0) + 1;
  }
}

/** Whether a cluster still has to leave ipvs: what the burn-down burns down. */
export function stillOnIpvs(audit: ClusterAudit): boolean {
  return audit.dataPlane.mode === "ipvs" || audit.dataPlane.mode === "mixed";
}
