import { type FleetView, fleetView, isDenied, type rowOf } from "#src/commands/fleet.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit, ProxyMode, VerdictWord } from "#src/model/cluster-audit.ts";
import type { Waiver } from "#src/model/waiver.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { nextActionInShort } from "#src/report/next-action.ts";
import type { FindingStore } from "#src/store/store.ts";
import { newestReleaseAt } from "#src/timeline/calendar.ts";
import { alreadyAt, MILESTONES } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";

/** How much of a cluster its newest audit saw. Only `audited` says anything good about it. */
export type Coverage = "audited" | "not reached" | "denied" | "stale";

export interface FleetRowJson {
  id: string;
  name: string;
  team: string | null;
  environment: string | null;
  provider: string;
  account: string | null;
  region: string | null;
  version: string | null;
  mode: ProxyMode;
  /** The mode in words, with what replaces kube-proxy or runs instead. */
  modeText: string;
  /** For the chosen target; null where the cluster is there already. */
  verdict: VerdictWord | null;
  blockers: string[];
  unknown: string[];
  milestones: Partial<Record<(typeof MILESTONES)[number], VerdictWord>>;
  coverage: Coverage;
  nodes: number;
  auditedAt: string;
  nextAction: string;
}

export interface FleetJson {
  total: number;
  coverage: FleetView["coverage"];
  byMode: FleetView["byMode"];
  countdown: FleetView["countdown"];
  target: string;
  /** Versions to offer: from the next release to the last stage of ipvs. */
  targets: string[];
  oldestAudit: string | null;
  rows: FleetRowJson[];
}

/** The fleet with a verdict of each cluster for `target`. */
export async function fleetJson(
  store: Pick<FindingStore, "latestAll" | "waivers">,
  target: string,
  now: Date,
): Promise<FleetJson> {
  const waivers = await store.waivers();
  const view = await fleetView(store, {}, { now, waivers });
  return {
    total: view.total,
    coverage: view.coverage,
    byMode: view.byMode,
    countdown: view.countdown,
    target,
    targets: offeredTargets(now),
    oldestAudit: view.rows.map(({ audit }) => audit.auditedAt).toSorted()[0] ?? null,
    rows: view.rows.map((row) => rowJson(row, target, { now, waivers })),
  };
}

function rowJson(
  row: ReturnType<typeof rowOf>,
  target: string,
  { now, waivers }: { now: Date; waivers: readonly Waiver[] },
): FleetRowJson {
  const { audit } = row;
  const own = waivers.filter((waiver) => waiver.clusterId === audit.id);
  const verdict = alreadyAt(audit, target) ? null : verdictOf(audit, target, { now, waivers: own });
  const { id, name, team, environment, provider, account, region, auditedAt } = audit;
  return {
    id,
    name,
    team,
    environment,
    provider,
    account,
    region,
    version: audit.kubernetesVersion,
    mode: audit.dataPlane.mode,
    modeText: modeText(audit.dataPlane),
    verdict: verdict?.verdict ?? null,
    blockers: verdict?.blockers ?? [],
    unknown: verdict?.unknown ?? [],
    milestones: row.verdicts,
    coverage: coverageOf(audit, row.stale),
    nodes: audit.nodes.count,
    auditedAt,
    nextAction: row.stale ? "Audit it again: the last audit is too old to count." : nextActionInShort(audit),
  };
}

export function coverageOf(audit: ClusterAudit, stale: boolean): Coverage {
  if (!audit.reachable) return "not reached";
  if (isDenied(audit)) return "denied";
  return stale ? "stale" : "audited";
}

function offeredTargets(now: Date): string[] {
  const last = MILESTONES.at(-1) ?? "1.43";
  const targets: string[] = [];
  for (let minor = newestReleaseAt(now); compareMinor(minor, last) <= 0; minor = addMinor(minor, 1)) {
    targets.push(minor);
  }
  return targets;
}
