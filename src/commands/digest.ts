import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { FindingChange, Rollup } from "#src/store/records.ts";
import type { AuditStore, DecisionStore, RunStore } from "#src/store/store.ts";
import type { FleetRow, FleetView } from "./fleet.ts";
import { fleetView } from "./fleet.ts";
import { rollUp, stillOnIpvs } from "./roll-up.ts";
import { type WaiverRow, waiverRows } from "./waive.ts";

const DAY_MS = 86_400_000;
const BURN_DOWN_WEEKS = 12;
const EXPIRING_WITHIN_DAYS = 14;

/** One point of the burn-down. */
export interface BurnDownPoint {
  date: string;
  clusters: number;
  /** Clusters in ipvs mode, wholly or on some nodes. */
  ipvs: number;
  unset: number;
  /** Not audited, or of unknown mode: silence is not green. */
  unknown: number;
}

export interface DigestView {
  team: string;
  /** From when on changes are told. */
  since: string;
  countdown: FleetView["countdown"];
  burnDown: BurnDownPoint[];
  changed: {
    /** Left ipvs. */
    migrated: string[];
    /** In ipvs now and not a week ago. */
    newOnIpvs: string[];
    newlyUnknown: string[];
    /** Audited for the first time. */
    newClusters: string[];
  };
  /** Blocked or incomplete at a milestone, worst first. */
  atRisk: FleetRow[];
  waiversExpiring: WaiverRow[];
  /** What the clusters of those waivers are called, by identifier. */
  names: Readonly<Record<string, string>>;
  coverage: FleetView["coverage"];
  total: number;
}

export type DigestStore = Pick<AuditStore, "latestAll" | "changesSince"> &
  Pick<DecisionStore, "waivers"> &
  Pick<RunStore, "putRollup" | "rollups">;

/**
 * What a team is told once a week. Today's numbers, which the burn-down ends with, are made first, from the whole
 * fleet; `rolledUp` says that they are there.
 */
export async function digestOf(
  store: DigestStore,
  team: string,
  now: Date,
  options: { rolledUp?: boolean } = {},
): Promise<DigestView> {
  const waivers = await store.waivers();
  const view = await fleetView(store, { team }, { now, waivers });
  const since = new Date(now.getTime() - 7 * DAY_MS).toISOString();
  const changes = await store.changesSince(since, { team });
  const audits = view.rows.map((row) => row.audit);
  if (options.rolledUp !== true) await rollUp(store, { now, waivers });
  const from = new Date(now.getTime() - BURN_DOWN_WEEKS * 7 * DAY_MS).toISOString().slice(0, 10);
  const rollups = await store.rollups({ from, to: now.toISOString().slice(0, 10), team });
  const own = waivers.filter((waiver) => audits.some((audit) => audit.id === waiver.clusterId));
  const waiversExpiring = waiverRows(own, audits, now).filter(
    (row) => row.daysLeft >= 0 && row.daysLeft <= EXPIRING_WITHIN_DAYS,
  );
  const expiring = new Set(waiversExpiring.map(({ waiver }) => waiver.clusterId));
  return {
    team,
    since,
    countdown: view.countdown,
    burnDown: weekly(rollups).map(pointOf),
    changed: changedOf(changes, audits),
    atRisk: view.rows.filter((row) =>
      Object.values(row.verdicts).some((word) => word === "blocked" || word === "incomplete"),
    ),
    waiversExpiring,
    names: Object.fromEntries(audits.filter(({ id }) => expiring.has(id)).map(({ id, name }) => [id, name])),
    coverage: view.coverage,
    total: view.total,
  };
}

/** A team with nothing to do gets one line. */
export function nothingToDo(view: DigestView): boolean {
  const { atRisk, coverage, changed, waiversExpiring } = view;
  return (
    atRisk.length === 0 &&
    waiversExpiring.length === 0 &&
    coverage.unreachable + coverage.denied + coverage.stale === 0 &&
    Object.values(changed).every((names) => names.length === 0)
  );
}

/** The newest roll-up of each seven days, oldest first. */
function weekly(rollups: readonly Rollup[]): Rollup[] {
  const newest = rollups.at(-1);
  if (newest === undefined) return [];
  const end = Date.parse(newest.date);
  const byWeek = new Map<number, Rollup>();
  for (const rollup of rollups)
    byWeek.set(Math.floor((end - Date.parse(rollup.date)) / (7 * DAY_MS)), rollup);
  return [...byWeek.values()].toSorted((a, b) => a.date.localeCompare(b.date));
}

function pointOf({ date, clusters, notAudited, modes }: Rollup): BurnDownPoint {
  return {
    date,
    clusters,
    ipvs: (modes.ipvs ?? 0) + (modes.mixed ?? 0),
    unset: modes.unset ?? 0,
    unknown: notAudited + (modes.unknown ?? 0),
  };
}

function changedOf(
  changes: readonly FindingChange[],
  audits: readonly ClusterAudit[],
): DigestView["changed"] {
  const byId = new Map(audits.map((audit) => [audit.id, audit]));
  const names = (fits: (change: FindingChange, audit: ClusterAudit) => boolean) => {
    const found = changes.flatMap((change) => {
      const audit = byId.get(change.clusterId);
      return audit && fits(change, audit) ? [audit.name] : [];
    });
    return [...new Set(found)].toSorted();
  };
  const aboutIpvs = (change: FindingChange) => change.check === "proxy-mode" && change.status !== "unknown";
  return {
    migrated: names(
      (change, audit) => change.change === "closed" && aboutIpvs(change) && !stillOnIpvs(audit),
    ),
    newOnIpvs: names(
      (change, audit) =>
        change.change === "opened" && aboutIpvs(change) && !change.firstAudit && stillOnIpvs(audit),
    ),
    newlyUnknown: names(
      (change, audit) =>
        change.change === "opened" &&
        change.status === "unknown" &&
        change.check === "proxy-mode" &&
        !change.firstAudit &&
        audit.dataPlane.mode === "unknown",
    ),
    newClusters: names((change) => change.firstAudit),
  };
}
