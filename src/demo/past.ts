import type { Rollup } from "#src/store/records.ts";

const WEEKS = 12;
const DAY_MS = 86_400_000;

/** Weeks ago in which the demo's clusters that run nftables or iptables are said to have left ipvs, in turn. */
const MOVED_WEEKS_AGO = [9, 7, 4, 2] as const;

/**
 * A made-up past for the demo's burn-down: a roll-up a week, in which clusters that have left ipvs by today still
 * run it. Every week adds up to the clusters there are.
 *
 * @param today the day's roll-ups, the whole fleet's (`team: null`) among them
 */
export function pastOf(today: readonly Rollup[]): Rollup[] {
  const teams = today.filter((rollup) => rollup.team !== null);
  const whole = today.find((rollup) => rollup.team === null);
  const moved = new Map<string | null, number[]>();
  let turn = 0;
  for (const { team, modes } of teams) {
    const there = (modes.nftables ?? 0) + (modes.iptables ?? 0);
    const weeks = Array.from({ length: there }, () => MOVED_WEEKS_AGO[turn++ % MOVED_WEEKS_AGO.length] ?? 1);
    moved.set(team, weeks);
  }
  if (whole !== undefined) moved.set(null, [...moved.values()].flat());
  return today.flatMap((rollup) =>
    Array.from({ length: WEEKS - 1 }, (_, index) =>
      weekBefore(rollup, moved.get(rollup.team) ?? [], WEEKS - 1 - index),
    ),
  );
}

function weekBefore(rollup: Rollup, moved: readonly number[], weeksAgo: number): Rollup {
  const modes = { ...rollup.modes };
  let back = moved.filter((week) => week < weeksAgo).length;
  for (const mode of ["iptables", "nftables"] as const) {
    const taken = Math.min(back, modes[mode] ?? 0);
    if (taken === 0) continue;
    back -= taken;
    modes[mode] = (modes[mode] ?? 0) - taken;
    modes.ipvs = (modes.ipvs ?? 0) + taken;
  }
  const date = new Date(Date.parse(rollup.date) - weeksAgo * 7 * DAY_MS).toISOString().slice(0, 10);
  return { ...rollup, date, modes, verdicts: {} };
}
