import { counted, plain } from "./text.ts";

/** `2027-03-01 09:00 UTC`; the text as it is where it is no time. */
export function minuteOf(instant: string): string {
  const milliseconds = Date.parse(instant);
  if (Number.isNaN(milliseconds)) return plain(instant);
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `3 hours ago`, `2 days ago`, `just now`; a clock that is behind counts as now. */
export function ageOf(instant: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(instant)) / 60_000);
  if (Number.isNaN(minutes)) return "at an unknown time";
  if (minutes < 2) return "just now";
  if (minutes < 120) return `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours ago` : `${counted(Math.floor(hours / 24), "day")} ago`;
}
