import type { ClusterAudit, ProxyMode, VerdictWord } from "#src/model/cluster-audit.ts";
import type { Waiver } from "#src/model/waiver.ts";
import type { AuditStore, ClusterFilter } from "#src/store/store.ts";
import { type CountdownTo, countdown } from "#src/timeline/countdown.ts";
import { alreadyAt, MILESTONES } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";

export interface FleetQuery {
  team?: string;
  environment?: string;
  mode?: ProxyMode;
  /** Only clusters that are blocked or incomplete at 1.40 or 1.43. */
  atRisk?: boolean;
}

export interface FleetRow {
  audit: ClusterAudit;
  /** By milestone; left out where the cluster is already there. */
  verdicts: Partial<Record<(typeof MILESTONES)[number], VerdictWord>>;
  stale: boolean;
}

export interface FleetView {
  rows: FleetRow[];
  /** How many clusters there are before `atRisk` left some out. */
  total: number;
  byMode: { mode: ProxyMode; count: number }[];
  coverage: { audited: number; unreachable: number; denied: number; stale: number };
  countdown: { to140: CountdownTo; to143: CountdownTo };
}

const WORST_FIRST: readonly VerdictWord[] = ["blocked", "incomplete", "clear-with-warnings", "clear"];

/** The fleet as the store knows it, worst first. */
export async function fleetView(
  store: Pick<AuditStore, "latestAll">,
  query: FleetQuery,
  options: { now: Date; waivers: readonly Waiver[] },
): Promise<FleetView> {
  const filter: ClusterFilter = {
    ...(query.team === undefined ? {} : { team: query.team }),
    ...(query.environment === undefined ? {} : { environment: query.environment }),
    ...(query.mode === undefined ? {} : { mode: query.mode }),
  };
  const rows: FleetRow[] = [];
  for await (const audit of store.latestAll(filter)) rows.push(rowOf(audit, options));
  return fleetOf(rows, query, options.now);
}

export function rowOf(
  audit: ClusterAudit,
  { now, waivers }: { now: Date; waivers: readonly Waiver[] },
): FleetRow {
  const own = waivers.filter((waiver) => waiver.clusterId === audit.id);
  const verdicts = MILESTONES.filter((target) => !alreadyAt(audit, target)).map(
    (target) => [target, verdictOf(audit, target, { now, waivers: own })] as const,
  );
  return {
    audit,
    verdicts: Object.fromEntries(verdicts.map(([target, verdict]) => [target, verdict.verdict])),
    stale: verdicts.some(([, verdict]) => verdict.reasons.some((reason) => reason.startsWith("stale"))),
  };
}

/** Whether a cluster answered and let nothing be read that could tell the mode. */
export function isDenied(audit: ClusterAudit): boolean {
  return audit.reachable && audit.unread.some((one) => one.why === "forbidden" && one.what === "daemonsets");
}

function fleetOf(rows: FleetRow[], query: FleetQuery, now: Date): FleetView {
  const modes = Map.groupBy(rows, (row) => row.audit.dataPlane.mode);
  const atRisk = (row: FleetRow) =>
    Object.values(row.verdicts).some((word) => word === "blocked" || word === "incomplete");
  const shown = query.atRisk ? rows.filter(atRisk) : rows;
  return {
    rows: shown.toSorted((a, b) => rank(a) - rank(b) || a.audit.name.localeCompare(b.audit.name)),
    total: rows.length,
    byMode: [...modes]
      .map(([mode, of]) => ({ mode, count: of.length }))
      .toSorted((a, b) => b.count - a.count),
    coverage: {
      audited: rows.filter(({ audit }) => audit.reachable && !isDenied(audit)).length,
      unreachable: rows.filter(({ audit }) => !audit.reachable).length,
      denied: rows.filter(({ audit }) => isDenied(audit)).length,
      stale: rows.filter((row) => row.stale).length,
    },
    countdown: countdown(now),
  };
}

function rank(row: FleetRow): number {
  const ranks = Object.values(row.verdicts).map((word) => WORST_FIRST.indexOf(word));
  return ranks.length === 0 ? WORST_FIRST.length : Math.min(...ranks);
}
