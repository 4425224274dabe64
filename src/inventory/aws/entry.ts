import { printable } from "#src/kubernetes/printable.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { Unseen } from "#src/model/observed.ts";

type Kind = InventoryEntry["kind"];

export function okEntry(kind: Kind, id: string): InventoryEntry {
  return { kind, id, status: "ok", why: null, reason: null };
}

export function skippedEntry(kind: Kind, id: string, why: Unseen, reason: string): InventoryEntry {
  return { kind, id, status: "skipped", why, reason: printable(reason, 500) };
}

export function failedEntry(kind: Kind, id: string, why: Unseen, reason: string): InventoryEntry {
  return { kind, id, status: "failed", why, reason: printable(reason, 500) };
}
