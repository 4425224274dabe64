import { plain } from "#src/report/text.ts";

/** What is looked up again by what it is, and never shown. */
const IDENTIFIERS = new Set(["id", "clusterId", "fingerprint", "fingerprints"]);

/**
 * The value with every text as `plain` shows it: names come from clusters, and a browser acts on direction
 * overrides and invisible characters as a terminal does. Markup needs nothing: the page sets text as text.
 */
export function printable<T>(value: T): T {
  return shown(value) as T;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, IDENTIFIERS.has(key) ? item : shown(item)]),
  );
}
