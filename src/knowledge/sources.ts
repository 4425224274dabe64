import { PROVIDERS, type Provider } from "#src/providers/index.ts";
import type { Fact } from "#src/timeline/fact.ts";
import { type FactId, factById } from "#src/timeline/facts.ts";
import { CLUSTER_FACTS } from "./facts/cluster.ts";
import { PRODUCT_FACTS } from "./facts/product.ts";
import { UPGRADE_FACTS } from "./facts/upgrade.ts";

const ANSWER_FACTS = [...CLUSTER_FACTS, ...UPGRADE_FACTS, ...PRODUCT_FACTS];

type AnswerFactId = (typeof ANSWER_FACTS)[number]["id"];

/** A fact of the timeline, one that only answers rest on, or what is known about a provider (`provider-k3s`). */
export type SourceId = FactId | AnswerFactId | `provider-${string}`;

/** Facts that no check or deadline is judged by. */
export const FACTS_OF_ANSWERS: readonly (Fact & { id: AnswerFactId })[] = ANSWER_FACTS;

/** Undefined for an identifier that is in none of the tables. */
export function sourceById(id: string): Fact | undefined {
  return factById(id) ?? FACTS_OF_ANSWERS.find((fact) => fact.id === id) ?? providerFact(id);
}

function providerFact(id: string): Fact | undefined {
  const provider = PROVIDERS.find((one) => `provider-${one.id}` === id);
  return provider === undefined ? undefined : factOfProvider(provider);
}

function factOfProvider(provider: Provider): Fact {
  const url = /^https:\/\/[^\s,]+/.exec(provider.source)?.[0];
  return {
    id: `provider-${provider.id}`,
    claim: `On ${provider.name} the mode is set in ${provider.modeSetIn}.`,
    source: provider.source,
    ...(url === undefined ? {} : { sourceUrl: url }),
    checkedAt: PROVIDERS_READ,
    confidence: provider.confidence,
    certainty: "released",
  };
}

/** The day the providers' documentation and sources were last read (`src/providers`). */
const PROVIDERS_READ = "2026-11-30";
