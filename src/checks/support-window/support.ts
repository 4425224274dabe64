import type { EvidenceItem } from "#src/model/finding.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { formatWhen, type When } from "#src/timeline/when.ts";

/** Until when somebody supports the control plane, and what happens by itself then. */
export interface Support {
  title: string;
  text: string;
  evidence: EvidenceItem;
  /** What makes it urgent; the first one that is near or past makes the finding a warning. */
  ends: readonly When[];
  fix: string;
  /** The provider has a calendar that was not read: the dates are upstream's, and near ones urge nobody. */
  ownCalendar: boolean;
  facts: readonly FactId[];
}

/** `2028-03-27` for a published day, `about Jul 2028 ± 3 weeks (estimated)` otherwise. */
export function dayOf(when: When): string {
  return when.date ?? `about ${formatWhen(when)}`;
}
