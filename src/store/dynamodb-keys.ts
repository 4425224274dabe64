import type { FindingChange } from "./records.ts";
import type { ClusterFilter } from "./store.ts";

/**
 * A key of several parts, `RUN#2027-03-01`. Cluster, team and channel names come from outside: a `#` in one must
 * not make it another's key.
 */
export function key(...parts: string[]): string {
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll("#", "%23")).join("#");
}

export function clusterKey(clusterId: string): string {
  return key("CLUSTER", clusterId);
}

/** Sorts after every `HISTORY#<instant>`, when `prefix` is `HISTORY`. */
export function afterAll(prefix: string): string {
  return `${prefix}#~`;
}

export type IndexedKind = "LATEST" | "CHANGE" | "WAIVER" | "APPROVAL";

export function teamKind(kind: IndexedKind, team: string): string {
  return key(kind, team);
}

/** The attributes by which an item of a cluster is found in the indexes, in the order of `position`. */
export function indexKeys(kind: IndexedKind, position: string, team: string | null): Record<string, string> {
  return { kind, position, ...(team === null ? {} : { teamKind: teamKind(kind, team) }) };
}

/** Whether every field that the filter gives has that value; null matches what has none. */
export function matches(
  item: Readonly<Record<string, unknown>>,
  filter: ClusterFilter & Partial<Pick<FindingChange, "clusterId">>,
): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || item[name] === value);
}

/** Compares lists of texts part by part, as the keys of a SQL `ORDER BY`. */
export function compareTexts(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const against = other[index] ?? "";
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}
