import type { FleetRow, FleetView } from "#src/commands/fleet.ts";
import { MILESTONES } from "#src/verdict/targets.ts";
import { alignedColumns } from "./columns.ts";
import { VERDICT_TONES, type ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";
import { nextAction, nextActionInShort } from "./next-action.ts";
import { type Painter, painter } from "./paint.ts";
import { counted, listed, plain, wrap } from "./text.ts";
import { VERDICT_SHORT } from "./verdict-text.ts";
import { minuteOf } from "./when.ts";

/** The fleet: countdown, coverage and one line a cluster, worst first. */
export function renderFleet(view: FleetView, options: ViewOptions): string {
  if (options.output === "json") return renderDocument(fleetDocument(view));
  const width = Math.max(40, options.columns);
  const paint = painter(options.colour);
  if (view.total === 0) {
    return "No audits are stored yet. Run proxy-audit scan first, or name the store with --store.\n";
  }
  const lines = [
    ...countdownLines(view.countdown, width),
    ...wrap(coverageSentence(view), width),
    "",
    ...(view.rows.length === 0 ? ["No cluster fits."] : fleetTable(view.rows, paint, width)),
  ];
  return `${lines.join("\n")}\n`;
}

export function countdownLines({ to140, to143 }: FleetView["countdown"], width: number): string[] {
  return [
    ...wrap(`ipvs off by default: ${to140.text}.`, width),
    ...wrap(`ipvs removed:        ${to143.text}.`, width),
  ];
}

function coverageSentence({ total, coverage, byMode, rows }: FleetView): string {
  const gaps = [
    coverage.unreachable > 0 && `${coverage.unreachable} not reached`,
    coverage.denied > 0 && `${coverage.denied} denied`,
    coverage.stale > 0 && `${coverage.stale} stale`,
  ].filter((gap) => gap !== false);
  const modes = byMode.map(({ mode, count }) => `${count} ${mode}`);
  const oldest = rows.map((row) => row.audit.auditedAt).toSorted()[0];
  const since = oldest === undefined ? "" : ` Oldest audit: ${minuteOf(oldest)}.`;
  return `${coverage.audited} of ${counted(total, "cluster")} audited${gaps.length === 0 ? "" : ` (${listed(gaps)})`}. Modes: ${listed(modes)}.${since}`;
}

function fleetTable(rows: readonly FleetRow[], paint: Painter, width: number): string[] {
  const verdictCell = (row: FleetRow, target: (typeof MILESTONES)[number]) => {
    const word = row.verdicts[target];
    return word === undefined
      ? { text: "already there" }
      : { text: VERDICT_SHORT[word], paint: paint.tone(VERDICT_TONES[word]) };
  };
  return alignedColumns(
    ["CLUSTER", "TEAM", "VERSION", "MODE", ...MILESTONES.map((target) => `TO ${target}`), "NEXT ACTION"],
    rows.map((row) => [
      { text: plain(row.audit.name), paint: paint.strong },
      { text: plain(row.audit.team ?? "-") },
      { text: row.audit.kubernetesVersion ?? "?" },
      { text: row.audit.dataPlane.replacedBy ?? row.audit.dataPlane.mode },
      ...MILESTONES.map((target) => verdictCell(row, target)),
      {
        text: row.stale
          ? `Audit it again: last read ${minuteOf(row.audit.auditedAt)}.`
          : nextActionInShort(row.audit),
      },
    ]),
    width,
  );
}

function fleetDocument(view: FleetView) {
  return {
    schemaVersion: 1,
    total: view.total,
    coverage: view.coverage,
    byMode: Object.fromEntries(view.byMode.map(({ mode, count }) => [mode, count])),
    countdown: view.countdown,
    clusters: view.rows.map(({ audit, verdicts, stale }) => ({
      id: audit.id,
      name: audit.name,
      team: audit.team,
      environment: audit.environment,
      provider: audit.provider,
      kubernetesVersion: audit.kubernetesVersion,
      mode: audit.dataPlane.mode,
      verdicts,
      auditedAt: audit.auditedAt,
      stale,
      nextAction: nextAction(audit),
    })),
  };
}
