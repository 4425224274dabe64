import { localTimeOf } from "#src/commands/local-week.ts";
import type { Subscription } from "#src/store/records.ts";

/**
 * The ISO week whose digest is due for a subscription, by its own clock; null where none is. From its hour on to
 * the end of the week, so that a run that was missed is made up for; a subscription that was made after its hour
 * starts with the next week.
 */
export function dueWeek(subscription: Subscription, now: Date): string | null {
  const { timeZone, createdAt } = subscription;
  const here = localTimeOf(now, timeZone);
  if (!hasCome(subscription, here)) return null;
  const then = localTimeOf(new Date(createdAt), timeZone);
  return then.isoWeek === here.isoWeek && hasCome(subscription, then) ? null : here.isoWeek;
}

function hasCome(due: Subscription, { weekday, hour }: { weekday: number; hour: number }): boolean {
  return weekday > due.weekday || (weekday === due.weekday && hour >= due.hour);
}
