const HOUR_MS = 3_600_000;
const DAY = "2027-03-01".length;
const HOUR = "2027-03-01T14".length;

/**
 * The run that a schedule's time belongs to: one a day, by UTC. The scheduler delivers at least once, and both
 * deliveries carry the same time, so they mean the same run.
 */
export function scheduledRunId(scheduledFor: Date): string {
  return scheduledFor.toISOString().slice(0, DAY);
}

/** The run that somebody starts by hand, besides the day's: at most one an hour. */
export function manualRunId(now: Date): string {
  return now.toISOString().slice(0, HOUR);
}

/** Runs that may still be open: today's and yesterday's, and those by hand of the last 24 hours. */
export function recentRunIds(now: Date): string[] {
  const hours = Array.from({ length: 25 }, (_, index) => new Date(now.getTime() - index * HOUR_MS));
  return [...new Set([...hours.map(scheduledRunId), ...hours.map(manualRunId)])];
}
