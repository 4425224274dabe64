const DAY = 86_400_000;

/** Days from one ISO day to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

export function addDays(day: string, days: number): string {
  return isoDay(new Date(Date.parse(day) + Math.round(days) * DAY));
}

/** The same day of the month, `months` later; the last day of the month where there is no such day. */
export function addMonths(day: string, months: number): string {
  const from = new Date(Date.parse(day));
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const lastOfMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), lastOfMonth));
  return isoDay(first);
}

/** `2027-08-25` of a moment, in UTC. */
export function isoDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return mean(middle);
}

/** Sample standard deviation. */
export function standardDeviation(values: number[]): number {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
