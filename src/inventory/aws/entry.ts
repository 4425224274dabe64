import { printable } from "#src/kubernetes/printable.ts";
import type { Unseen } from "#src/model/observed.ts";

/**
 * How one part of the inventory ended. `skipped`: not for us to read, as configured or as its owner decided (a
 * suspended account, a Region that a policy denies). `failed`: should have been read and was not.
 */
export interface InventoryEntry {
  kind: "organization" | "account" | "region" | "cluster";
  /** `111122223333`, `111122223333/eu-west-1`, `eks:111122223333/eu-west-1/payments`; an organizational unit's id. */
  id: string;
  status: "ok" | "skipped" | "failed";
  why: Unseen | null;
  reason: string | null;
}

export type EntryKind = InventoryEntry["kind"];

export function okEntry(kind: EntryKind, id: string): InventoryEntry {
  return { kind, id, status: "ok", why: null, reason: null };
}

export function skippedEntry(kind: EntryKind, id: string, why: Unseen, reason: string): InventoryEntry {
  return { kind, id, status: "skipped", why, reason: printable(reason, 500) };
}

export function failedEntry(kind: EntryKind, id: string, why: Unseen, reason: string): InventoryEntry {
  return { kind, id, status: "failed", why, reason: printable(reason, 500) };
}
