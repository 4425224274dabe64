import type { Certainty } from "#src/model/finding.ts";
import { addDays, addMonths, daysBetween, isoDay } from "./days.ts";

/** A point in time as precise as it is known: a day where one was published, otherwise a month and a margin. */
export interface When {
  /** Only for days that upstream or a provider has published. */
  date?: string;
  /** `2027-08`. */
  month: string;
  /** Half the width of an estimate; null where a day was published or the margin is within the month. */
  marginWeeks: number | null;
  certainty: Certainty;
  /** The likeliest single day: for arithmetic and sorting, never for people. */
  around: string;
}

/** A When as reports carry it: in words, and from when to when (days if published, months otherwise). */
export interface Period {
  text: string;
  from: string;
  to: string;
}

const DAYS_IN_MONTH = 365.25 / 12;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

export function publishedOn(date: string, certainty: Certainty): When {
  return { date, month: date.slice(0, 7), marginWeeks: null, certainty, around: date };
}

export function estimatedAround(day: string, marginWeeks: number | null): When {
  return { month: day.slice(0, 7), marginWeeks, certainty: "estimated", around: day };
}

/** An estimate `months` after `when`, with the same margin. */
export function monthsAfter(when: When, months: number): When {
  return estimatedAround(addMonths(when.around, months), when.marginWeeks);
}

/** `26 Aug 2026`, `16 Dec 2026 (planned)` or `Aug 2027 ± 3 weeks (estimated)`. */
export function formatWhen(when: When): string {
  const year = when.month.slice(0, 4);
  const month = MONTHS[Number(when.month.slice(5)) - 1];
  const day = when.date === undefined ? "" : `${Number(when.date.slice(8))} `;
  const margin =
    when.marginWeeks === null ? "" : ` ± ${when.marginWeeks} ${when.marginWeeks === 1 ? "week" : "weeks"}`;
  const certainty = when.certainty === "released" ? "" : ` (${when.certainty})`;
  return `${day}${month} ${year}${margin}${certainty}`;
}

export function periodOf(when: When): Period {
  const text = formatWhen(when);
  if (when.date !== undefined) return { text, from: when.date, to: when.date };
  const margin = (when.marginWeeks ?? 0) * 7;
  return {
    text,
    from: addDays(when.around, -margin).slice(0, 7),
    to: addDays(when.around, margin).slice(0, 7),
  };
}

/** Whole months from `now`, rounded; negative once it has passed. */
export function monthsUntil(when: When, now: Date): number {
  const months = Math.round(daysBetween(isoDay(now), when.around) / DAYS_IN_MONTH);
  return months === 0 ? 0 : months;
}
