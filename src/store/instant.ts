import { ProxyAuditError } from "#src/model/errors.ts";

/**
 * The instant in the one spelling that sorts as text: UTC with milliseconds. Keys are compared as strings, and
 * `10:00:00Z` would sort after `10:00:00.500Z`, and `12:00:00+02:00` after both.
 * Throws `usage` for what is no instant.
 */
export function sortableInstant(text: string): string {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) {
    throw new ProxyAuditError("usage", `"${text}" is not a time: write it like 2027-03-01T09:00:00Z.`);
  }
  return new Date(milliseconds).toISOString();
}

/** The instant that many minutes later, or earlier when negative. */
export function minutesAfter(instant: string, minutes: number): string {
  return new Date(Date.parse(sortableInstant(instant)) + minutes * 60_000).toISOString();
}
