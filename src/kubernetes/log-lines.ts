/** One entry of a component's log, whatever it was wrapped in. */
export interface LogEntry {
  severity: "info" | "warning" | "error" | "fatal" | "unknown";
  message: string;
  /** What follows the message: `err="..." version="v1.36.1"`. */
  rest: string;
}

const SEVERITIES = { I: "info", W: "warning", E: "error", F: "fatal" } as const;
const KLOG = /(?:^|[\s\]])([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w./-]+:\d+\] (.*)$/;
/** A quoted message, Go's escapes included. */
const QUOTED = /^"((?:[^"\\]|\\.)*)"\s*(.*)$/;

/**
 * The entries of a Kubernetes component's log: klog text or component-base JSON (`--logging-format=json`), also
 * inside the JSON that Docker writes around lines, behind journald, CRI or `kubectl logs --timestamps` prefixes.
 * Lines that belong to the entry before them (`err=<` ... ` >`) are added to its rest; other lines are left out.
 */
export function logEntries(text: string): LogEntry[] {
  const entries: LogEntry[] = [];
  let open: LogEntry | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const line = unwrapped(raw);
    const entry = jsonEntry(line) ?? klogEntry(line);
    if (entry !== null) {
      entries.push(entry);
      open = entry.rest.includes("=<") ? entry : undefined;
    } else if (open !== undefined) {
      open.rest += ` ${line.trim()}`;
      if (/^\s+>/.test(line)) open = undefined;
    }
  }
  return entries;
}

/** Docker's json-file driver: `{"log":"I0424 ...\n","stream":"stderr","time":"..."}`. */
function unwrapped(line: string): string {
  const wrapped = objectOf(line)?.log;
  return typeof wrapped === "string" ? wrapped.trimEnd() : line;
}

/**
 * component-base JSON: keys ts, caller, msg, v, err. Error entries have no `v`
 * (component-base, logs/json/json.go).
 */
function jsonEntry(line: string): LogEntry | null {
  const start = line.indexOf("{");
  const object = start < 0 ? null : objectOf(line.slice(start));
  if (object === null || typeof object.msg !== "string" || !("ts" in object)) return null;
  const { msg, ts: _ts, caller: _caller, v, ...values } = object;
  const rest = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { severity: v === undefined ? "error" : "info", message: msg, rest: rest.join(" ") };
}

function klogEntry(line: string): LogEntry | null {
  const match = KLOG.exec(line);
  if (match === null) return null;
  const severity = SEVERITIES[match[1] as keyof typeof SEVERITIES];
  const body = match[2] ?? "";
  const quoted = QUOTED.exec(body);
  if (quoted === null) return { severity, message: body.trim(), rest: "" };
  return { severity, message: (quoted[1] ?? "").replace(/\\(.)/g, "$1"), rest: quoted[2] ?? "" };
}

function objectOf(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
