import { z } from "zod";
import type { AccountSource } from "#src/inventory/aws/accounts.ts";

/** The scheduler gives the time that it fires for; somebody who starts a run by hand gives none. */
export const planEventSchema = z.object({ scheduledTime: z.iso.datetime({ offset: true }).optional() });
export type PlanEvent = z.infer<typeof planEventSchema>;

/** What a run looks into. */
export interface PlanRequest {
  accounts: AccountSource;
  /** Empty: every Region that is enabled. */
  regions: readonly string[];
  aggregator: string | null;
  /** Tags that can name an owner: the others are not carried along. */
  ownerTags: readonly string[];
}

/** The settings that say it, as `src/config.ts` reads them. */
interface PlanSettings {
  accounts: { kind: "organization" } | Exclude<AccountSource, { kind: "organization" }>;
  organizationalUnits: string[];
  excludedAccounts: string[];
  accountTags: boolean;
  regions: string[];
  aggregator: string | null;
  teamTags: string[];
  environmentTags: string[];
}

export function planRequestOf(settings: PlanSettings): PlanRequest {
  const { accounts, regions, aggregator, accountTags: tags } = settings;
  const { organizationalUnits: units, excludedAccounts: exclude } = settings;
  return {
    accounts: accounts.kind === "organization" ? { kind: "organization", units, exclude, tags } : accounts,
    regions,
    aggregator,
    ownerTags: [...settings.teamTags, ...settings.environmentTags],
  };
}
