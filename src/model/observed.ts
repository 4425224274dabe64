/** Where an observation came from: which call or file, and when it was read. */
export interface Source {
  kind: "kubernetes" | "eks" | "prometheus" | "log" | "manifest";
  /** GET path, API call or file name. */
  ref: string;
  /** RFC 3339, UTC. */
  at: string;
}

/** Why something was not seen. `absent` is the server's positive "there is none" (404). */
export const UNSEEN = [
  "absent",
  "forbidden",
  "unauthenticated",
  "unreachable",
  "timeout",
  "throttled",
  "invalid",
  "not-requested",
] as const;
export type Unseen = (typeof UNSEEN)[number];

export interface Seen<T> {
  seen: true;
  value: T;
  source: Source;
}

/** Read in part: 12 of 30 pages, say. May prove a blocker, never a pass. */
export interface PartlySeen<T> {
  seen: "partial";
  value: T;
  why: Unseen;
  detail: string;
  source: Source;
}

export interface NotSeen {
  seen: false;
  why: Unseen;
  detail: string;
  source: Source;
}

/**
 * The outcome of a read. An expected failure (forbidden, timeout) is a value, not an exception, so that no
 * check can mistake what was not read for what is not there.
 */
export type Observed<T> = Seen<T> | PartlySeen<T> | NotSeen;

export function seen<T>(value: T, source: Source): Seen<T> {
  return { seen: true, value, source };
}

export function partlySeen<T>(value: T, why: Unseen, detail: string, source: Source): PartlySeen<T> {
  return { seen: "partial", value, why, detail, source };
}

export function notSeen(why: Unseen, detail: string, source: Source): NotSeen {
  return { seen: false, why, detail, source };
}

/** What was read, whole or in part; `undefined` where nothing was. */
export function observedValue<T>(observed: Observed<T>): T | undefined {
  return observed.seen === false ? undefined : observed.value;
}

/** The same outcome with its value, if any, projected by `project`. */
export function mapObserved<T, U>(observed: Observed<T>, project: (value: T) => U): Observed<U> {
  return observed.seen === false ? observed : { ...observed, value: project(observed.value) };
}
