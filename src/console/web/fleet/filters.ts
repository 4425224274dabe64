import type { FleetRowJson } from "#src/console/server/fleet-json.ts";

/** What is shown, as the address has it: a link shows the same to the next person. */
export interface Filters {
  text: string;
  team: string;
  mode: string;
  provider: string;
  verdict: string;
}

export const SORTS = ["risk", "name", "team", "version", "mode", "verdict", "audited"] as const;
export type Sort = (typeof SORTS)[number];

/** For clusters without a team: no name that a team can have. */
export const NO_TEAM = " none";

const VERDICT_RANK: Readonly<Record<string, number>> = {
  blocked: 0,
  incomplete: 1,
  "clear-with-warnings": 2,
  clear: 3,
};

export function fits(row: FleetRowJson, { text, team, mode, provider, verdict }: Filters): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = [row.name, row.id, row.team, row.environment, row.provider, row.account, row.region]
    .join(" ")
    .toLowerCase();
  return (
    words.every((word) => searched.includes(word)) &&
    (team === "" || (row.team ?? NO_TEAM) === team) &&
    (mode === "" || row.mode === mode) &&
    (provider === "" || row.provider === provider) &&
    (verdict === "" || (row.verdict ?? "there") === verdict || row.coverage === verdict)
  );
}

/** The rows in the order that is asked for; `risk` is the order in which the server sends them. */
export function sorted(rows: readonly FleetRowJson[], sort: Sort, down: boolean): FleetRowJson[] {
  const by = COMPARE[sort];
  const made = by === null ? [...rows] : rows.toSorted((a, b) => by(a, b) || a.name.localeCompare(b.name));
  return down ? made.reverse() : made;
}

const text = (a: string | null, b: string | null) =>
  Number(a === null) - Number(b === null) || (a ?? "").localeCompare(b ?? "", "en", { numeric: true });

const COMPARE: Record<Sort, ((a: FleetRowJson, b: FleetRowJson) => number) | null> = {
  risk: null,
  name: (a, b) => text(a.name, b.name),
  team: (a, b) => text(a.team, b.team),
  version: (a, b) => text(a.version, b.version),
  mode: (a, b) => text(a.modeText, b.modeText),
  verdict: (a, b) => (VERDICT_RANK[a.verdict ?? ""] ?? 4) - (VERDICT_RANK[b.verdict ?? ""] ?? 4),
  audited: (a, b) => text(a.auditedAt, b.auditedAt),
};
