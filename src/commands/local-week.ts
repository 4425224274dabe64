/** Where an instant falls in a place's week. */
export interface LocalTime {
  /** ISO 8601 week, `2027-W09`: the same for everybody in that time zone from Monday to Sunday. */
  isoWeek: string;
  /** ISO: 1 is Monday. */
  weekday: number;
  hour: number;
}

const DAY_MS = 86_400_000;

/**
 * The local week, weekday and hour of an instant in an IANA time zone.
 *
 * @throws RangeError for a time zone that does not exist.
 */
export function localTimeOf(now: Date, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const day = Date.UTC(part("year"), part("month") - 1, part("day"));
  const weekday = ((new Date(day).getUTCDay() + 6) % 7) + 1;
  return { isoWeek: isoWeekOfDay(day, weekday), weekday, hour: part("hour") };
}

/** A week belongs to the year that holds its Thursday (ISO 8601). */
function isoWeekOfDay(day: number, weekday: number): string {
  const thursday = new Date(day + (4 - weekday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}
