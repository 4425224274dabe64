import type { Certainty } from "#src/model/finding.ts";
import type { Fact } from "#src/timeline/fact.ts";
import { entryById } from "./entries/index.ts";
import type { Entry } from "./entry.ts";
import { fleetLineOf } from "./fleet-line.ts";
import type { FleetNumbers } from "./fleet-numbers.ts";
import { type Match, matchesOf } from "./match.ts";
import { sourceById } from "./sources.ts";
import { termsOf, versionsIn } from "./terms.ts";

/** An answer, or the nearest questions where none of them is near enough to be answered. */
export type Answer =
  | {
      kind: "answer";
      entry: Pick<Entry, "id" | "question" | "claim">;
      text: string;
      certainty: Certainty;
      sources: Fact[];
      /** What it means for the audited clusters, where their numbers were given and matter. */
      fleetLine?: string;
      /** Questions people ask next. */
      alsoAsked: string[];
    }
  | { kind: "unsure"; nearest: { id: string; question: string }[] };

/** Below this likeness the nearest questions are shown instead of an answer (`test/knowledge/questions.json`). */
const SURE = 0.48;
const NEAREST_SHOWN = 4;
/** What to offer where nothing of the question is known. */
const STARTERS = ["ipvs-when", "nftables-or-iptables", "see-mode", "switch-live"];

/**
 * The answer to a question in anybody's words. Never throws, whatever the question holds; nothing of the question
 * is repeated in the answer but the Kubernetes versions it names.
 */
export function answerQuestion(question: string, context: { now: Date; fleet?: FleetNumbers }): Answer {
  const matches = matchesOf(question);
  const [best] = matches;
  if (best === undefined || best.likeness < SURE) return { kind: "unsure", nearest: nearestOf(matches) };
  return answerOf(best.entry, versionsIn(termsOf(question)), context);
}

function answerOf(
  entry: Entry,
  versions: readonly string[],
  { now, fleet }: { now: Date; fleet?: FleetNumbers },
): Answer {
  const { id, question, claim, fleetQuestion } = entry;
  return {
    kind: "answer",
    entry: { id, question, ...(claim === undefined ? {} : { claim }) },
    ...entry.answer({ now, versions }),
    sources: entry.facts.flatMap((fact) => sourceById(fact) ?? []),
    ...(fleet === undefined || fleetQuestion === undefined
      ? {}
      : { fleetLine: fleetLineOf(fleetQuestion, fleet) }),
    alsoAsked: entry.related.flatMap((related) => entryById(related)?.question ?? []),
  };
}

function nearestOf(matches: readonly Match[]): { id: string; question: string }[] {
  const starters = STARTERS.flatMap((id) => entryById(id) ?? []);
  const near = new Set([...matches.map(({ entry }) => entry), ...starters]);
  return [...near].slice(0, NEAREST_SHOWN).map(({ id, question }) => ({ id, question }));
}
