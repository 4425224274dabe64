import type { Fact } from "./fact.ts";
import { CLAIMS } from "./facts/claims.ts";
import { DEFAULT_MODE_FACTS } from "./facts/default-mode.ts";
import { IPVS_FACTS } from "./facts/ipvs.ts";
import { NEIGHBOUR_FACTS } from "./facts/neighbours.ts";
import { NFTABLES_FACTS } from "./facts/nftables.ts";
import { PLATFORM_FACTS } from "./facts/platform.ts";
import { PROVIDER_FACTS } from "./facts/providers.ts";

const ALL = [
  ...IPVS_FACTS,
  ...DEFAULT_MODE_FACTS,
  ...NFTABLES_FACTS,
  ...NEIGHBOUR_FACTS,
  ...PLATFORM_FACTS,
  ...PROVIDER_FACTS,
  ...CLAIMS,
];

export type FactId = (typeof ALL)[number]["id"];

/** Every upstream and provider fact that a judgement of the product rests on. */
export const FACTS: readonly (Fact & { id: FactId })[] = ALL;

/** Undefined for an identifier that is not, or no longer, in the table: findings keep theirs. */
export function factById(id: string): Fact | undefined {
  return FACTS.find((fact) => fact.id === id);
}
