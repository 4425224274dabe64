import type { Entry } from "../entry.ts";
import { CONFIGURATION_ENTRIES } from "./configuration.ts";
import { DEFAULT_MODE_ENTRIES } from "./default-mode.ts";
import { DISTRIBUTION_ENTRIES } from "./distributions.ts";
import { IPVS_END_ENTRIES } from "./ipvs-end.ts";
import { IPVS_SETTINGS_ENTRIES } from "./ipvs-settings.ts";
import { MIGRATION_ENTRIES } from "./migration.ts";
import { NETWORK_ENTRIES } from "./network.ts";
import { NFTABLES_ENTRIES } from "./nftables.ts";
import { NODEPORT_ENTRIES } from "./nodeports.ts";
import { NODE_ENTRIES } from "./nodes.ts";
import { PRODUCT_ENTRIES } from "./product.ts";
import { PROVIDER_ENTRIES } from "./providers.ts";
import { RELEASE_ENTRIES } from "./releases.ts";
import { UPGRADE_NOTE_ENTRIES } from "./upgrade-notes.ts";

/** Every question that `ask` can answer; the first ones are what to offer somebody who asked nothing. */
export const ENTRIES: readonly Entry[] = [
  ...IPVS_END_ENTRIES,
  ...DEFAULT_MODE_ENTRIES,
  ...RELEASE_ENTRIES,
  ...NFTABLES_ENTRIES,
  ...MIGRATION_ENTRIES,
  ...NODEPORT_ENTRIES,
  ...IPVS_SETTINGS_ENTRIES,
  ...NETWORK_ENTRIES,
  ...PROVIDER_ENTRIES,
  ...DISTRIBUTION_ENTRIES,
  ...CONFIGURATION_ENTRIES,
  ...NODE_ENTRIES,
  ...UPGRADE_NOTE_ENTRIES,
  ...PRODUCT_ENTRIES,
];

export function entryById(id: string): Entry | undefined {
  return ENTRIES.find((entry) => entry.id === id);
}
