import { ProxyAuditError } from "#src/model/errors.ts";
import type { Subscription } from "#src/store/records.ts";
import { localTimeOf } from "./local-week.ts";

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export interface SubscribeRequest {
  team: string;
  channel: string;
  workspace: string;
  createdBy: string;
  /** As people write them; each has a default. */
  timeZone?: string | undefined;
  weekday?: string | undefined;
  hour?: string | undefined;
}

/**
 * A weekly digest for a channel: Mondays at nine, UTC, unless said otherwise.
 *
 * @throws ProxyAuditError `usage` for a time zone, day or hour that is none.
 */
export function subscriptionOf(request: SubscribeRequest, now: Date): Subscription {
  const { team, channel, workspace, createdBy, timeZone = "UTC", weekday = "monday", hour = "9" } = request;
  try {
    localTimeOf(now, timeZone);
  } catch {
    throw new ProxyAuditError("usage", `"${timeZone}" is not a time zone. Give one like Europe/Berlin.`);
  }
  const day = WEEKDAYS.findIndex((name) => weekday.length >= 2 && name.startsWith(weekday.toLowerCase()));
  if (day < 0) throw new ProxyAuditError("usage", `"${weekday}" is not a weekday. Give one like monday.`);
  const [, hours] = /^(\d{1,2})(?::00)?$/.exec(hour) ?? [];
  if (hours === undefined || Number(hours) > 23)
    throw new ProxyAuditError("usage", `"${hour}" is not a full hour. Give one from 0 to 23.`);
  return {
    team,
    channel,
    workspace,
    createdBy,
    timeZone,
    weekday: day + 1,
    hour: Number(hours),
    createdAt: now.toISOString(),
  };
}

/** `Mondays at 09:00 (Europe/Berlin)`. */
export function scheduleText({ weekday, hour, timeZone }: Subscription): string {
  const name = WEEKDAYS[weekday - 1] ?? "monday";
  const day = `${name[0]?.toUpperCase()}${name.slice(1)}s`;
  return `${day} at ${String(hour).padStart(2, "0")}:00 (${timeZone})`;
}
