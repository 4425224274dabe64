import type { Fold, Listed } from "#src/kubernetes/cluster-reader.ts";
import { type Observed, partlySeen } from "#src/model/observed.ts";

interface Projected<T> {
  items: T[];
  malformed: number;
}

/** Folds pages of objects into what `project` keeps of each; null counts as malformed, undefined as left out. */
export function projecting<T>(project: (item: unknown) => T | null | undefined): Fold<Projected<T>> {
  return {
    start: () => ({ items: [], malformed: 0 }),
    add(into, page) {
      if (page.kind !== "objects") return;
      for (const item of page.items) {
        const projected = project(item);
        if (projected === null) into.malformed += 1;
        else if (projected !== undefined) into.items.push(projected);
      }
    },
  };
}

/** The items of a list; partly seen where some of them were not of the kind's shape. */
export function itemsOf<T>(read: Observed<Listed<Projected<T>>>): Observed<T[]> {
  if (read.seen === false) return read;
  const { items, malformed } = read.value.value;
  if (malformed > 0 && read.seen === true) {
    return partlySeen(items, "invalid", `${malformed} objects are not of the expected shape`, read.source);
  }
  return { ...read, value: items };
}
