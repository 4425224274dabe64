import { minorsBetween } from "#src/kubernetes/version.ts";
import type { Certainty } from "#src/model/finding.ts";
import { newestReleaseAt, releaseOf } from "./calendar.ts";
import type { FactId } from "./facts.ts";
import { stageOf } from "./stages.ts";
import { formatWhen, monthsUntil, type Period, periodOf } from "./when.ts";

export interface CountdownTo {
  version: string;
  what: string;
  /** How sure the change is at that version. */
  certainty: Certainty;
  /** Minor releases from the newest that is out. */
  releases: number;
  monthsAway: number;
  marginWeeks: number | null;
  when: Period;
  text: string;
  fact: FactId;
}

/** How far away the two ends of ipvs mode are: off by default, and removed. */
export function countdown(now: Date): { to140: CountdownTo; to143: CountdownTo } {
  return { to140: countdownTo("ipvs-off-1.40", now), to143: countdownTo("ipvs-removed-1.43", now) };
}

function countdownTo(fact: FactId, now: Date): CountdownTo {
  const { version, what, certainty } = stageOf(fact);
  const release = releaseOf(version);
  const releases = minorsBetween(newestReleaseAt(now), version);
  const monthsAway = monthsUntil(release, now);
  const due = monthsAway > 0 ? `about ${counted(monthsAway, "month")}` : "due any week";
  return {
    version,
    what,
    certainty,
    releases,
    monthsAway,
    marginWeeks: release.marginWeeks,
    when: periodOf(release),
    text:
      releases > 0
        ? `${version} is ${counted(releases, "release")} away, ${due}: ${formatWhen(release)}`
        : `${version} is out${release.date === undefined ? " by the calendar" : ""}: ${formatWhen(release)}`,
    fact,
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
