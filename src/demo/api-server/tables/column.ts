/** A column as a Table's `columnDefinitions` has it. Priority 1 is what kubectl shows with `-o wide` only. */
export interface Column {
  name: string;
  type: "string" | "integer" | "date";
  format: "" | "name";
  description: string;
  priority: 0 | 1;
}

export function column(name: string, type: Column["type"] = "string", description = ""): Column {
  return { name, type, format: "", description, priority: 0 };
}

/** A column that only wide output shows; a Table always has it. */
export function wide(name: string, type: Column["type"] = "string", description = ""): Column {
  return { ...column(name, type, description), priority: 1 };
}

export const NAME_COLUMN: Column = {
  ...column(
    "Name",
    "string",
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  ),
  format: "name",
};

export const AGE_COLUMN: Column = column(
  "Age",
  "string",
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
);

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** `17m`, `4h12m`, `3d`: the time since an RFC 3339 time stamp, in the units the server picks. */
export function age(since: string | null | undefined, now: Date): string {
  const then = since == null ? Number.NaN : Date.parse(since);
  if (Number.isNaN(then)) return "<unknown>";
  const seconds = Math.max(0, Math.floor((now.getTime() - then) / 1_000));
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return twoUnits(seconds, [MINUTE, "m"], [SECOND, "s"]);
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return twoUnits(seconds, [HOUR, "h"], [MINUTE, "m"]);
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return twoUnits(seconds, [DAY, "d"], [HOUR, "h"]);
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return twoUnits(seconds, [YEAR, "y"], [DAY, "d"]);
  return `${Math.floor(seconds / YEAR)}y`;
}

function twoUnits(seconds: number, [large, l]: [number, string], [small, s]: [number, string]): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)}${l}${rest === 0 ? "" : `${rest}${s}`}`;
}

/** `a=b,c=d`, or `<none>`. */
export function labelText(labels: unknown): string {
  const entries = typeof labels === "object" && labels !== null ? Object.entries(labels) : [];
  return entries.length === 0 ? "<none>" : entries.map(([key, value]) => `${key}=${String(value)}`).join(",");
}
