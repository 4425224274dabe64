import type { ScanResult } from "#src/model/cluster-audit.ts";
import { type FactId, factById } from "#src/timeline/facts.ts";
import { plain } from "./text.ts";

/** The upstream and provider facts behind a finding, each by who says so: `KEP-5495, README (ipvs-off-1.40)`. */
export function judgedBy(ids: readonly string[]): string[] {
  return ids.map((id) => {
    const fact = factById(id);
    return fact === undefined ? plain(id) : `${fact.source} (${id})`;
  });
}

/** Every fact that a scan's findings name, with its claim, source and how sure it is. */
export function factsBehind(result: ScanResult): NonNullable<ScanResult["facts"]> {
  const ids = new Set(
    result.clusters.flatMap(({ findings }) => findings.flatMap(({ facts }) => facts ?? [])),
  );
  return Object.fromEntries(
    [...ids].toSorted().flatMap((id) => {
      const fact = factById(id as FactId);
      if (fact === undefined) return [];
      const { claim, source, sourceUrl, checkedAt, confidence, certainty } = fact;
      const link = sourceUrl === undefined ? {} : { sourceUrl };
      return [[id, { claim, source, ...link, checkedAt, confidence, certainty }]];
    }),
  );
}
