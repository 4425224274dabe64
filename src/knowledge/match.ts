import MiniSearch from "minisearch";
import { ENTRIES } from "./entries/index.ts";
import type { Entry } from "./entry.ts";
import { isCommonWord, isNumber, LONGEST_QUESTION, termsOf, versionsIn } from "./terms.ts";

export interface Match {
  entry: Entry;
  /** How much of the question's meaning it holds, between 0 and 1. */
  likeness: number;
}

/** A wording without a version, where the question names one. */
const NO_VERSION = 0.9;
/** A word that is near but not the same may be a typing error. */
const NEARLY = 0.85;
/** A word of the question that stands in the answer only. */
const IN_ANSWER = 0.4;
/** Common words say little about what is asked. */
const COMMON_WORD = 0.4;
/** How much it counts that the wording holds no more than the question. */
const WHOLE_WORDING = 0.3;

interface Wording {
  entry: Entry;
  /** The words of one wording, or of the answer. */
  terms: readonly string[];
  answer: boolean;
}

const WORDINGS: readonly Wording[] = ENTRIES.flatMap((entry) => [
  ...[entry.question, ...entry.askedAs].map((asked) => ({ entry, terms: termsOf(asked), answer: false })),
  { entry, terms: termsOf(entry.answer({ now: new Date(0), versions: [] }).text), answer: true },
]);

/** Wordings by their letters: what is asked word for word needs no search. */
const EXACT: ReadonlyMap<string, Entry> = new Map(
  ENTRIES.toReversed().flatMap((entry) =>
    [entry.question, ...entry.askedAs].map((asked) => [lettersOf(asked), entry] as const),
  ),
);

const INDEX = indexOf(WORDINGS);
const WEIGHTS = weightsOf(WORDINGS);
/** A word that no wording has may be noise, or the very thing the question is about. */
const UNKNOWN_WEIGHT = Math.log(1 + ENTRIES.length);

/**
 * The entries that share words with the question, the likeliest first, each by the nearest of its wordings. Words
 * weigh the more, the fewer entries have them.
 */
export function matchesOf(question: string): Match[] {
  const matches = matchesByWords(termsOf(question));
  const exact = EXACT.get(lettersOf(question));
  if (exact === undefined) return matches;
  return [{ entry: exact, likeness: 1 }, ...matches.filter(({ entry }) => entry !== exact)];
}

function matchesByWords(terms: readonly string[]): Match[] {
  const hits = INDEX.search(terms.join(" ")).flatMap(({ id, terms: found, queryTerms, score }) => {
    const wording = WORDINGS[id];
    return wording === undefined ? [] : [{ ...wording, found, asked: new Set(queryTerms), score }];
  });
  const inAnswer = new Map(hits.filter(({ answer }) => answer).map(({ entry, asked }) => [entry, asked]));
  const best = new Map<Entry, Match & { score: number }>();
  for (const { entry, terms: wording, found, asked, score } of hits.filter(({ answer }) => !answer)) {
    const held = { wording: asked, answer: inAnswer.get(entry) ?? new Set<string>() };
    const likeness = likenessOf(terms, wording, found, held);
    if (likeness > (best.get(entry)?.likeness ?? 0)) best.set(entry, { entry, likeness, score });
  }
  return [...best.values()]
    .toSorted((a, b) => b.likeness - a.likeness || b.score - a.score)
    .map(({ entry, likeness }) => ({ entry, likeness }));
}

function likenessOf(
  question: readonly string[],
  wording: readonly string[],
  found: readonly string[],
  held: { wording: ReadonlySet<string>; answer: ReadonlySet<string> },
): number {
  if (![...held.wording].some(isTelling)) return 0;
  const asked = versionsIn(question);
  const named = versionsIn(wording);
  // A wording without a version is about every version.
  const meant = named.length === 0 ? question.filter((term) => !asked.includes(term)) : question;
  const matched = meant.map((term) => {
    if (held.wording.has(term)) return weightOf(term) * (wording.includes(term) ? 1 : NEARLY);
    return held.answer.has(term) ? weightOf(term) * IN_ANSWER : 0;
  });
  const ofQuestion = ratio(sum(matched), sum(meant.map(weightOf)));
  const ofWording = ratio(sum([...new Set(found)].map(weightOf)), sum([...new Set(wording)].map(weightOf)));
  const likeness = ofQuestion * (1 - WHOLE_WORDING * (1 - ofWording));
  return asked.length > 0 && named.length === 0 ? likeness * NO_VERSION : likeness;
}

function lettersOf(text: string): string {
  return text
    .slice(0, LONGEST_QUESTION)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .replace(/[ .]+$/, "");
}

/** Whether the word alone says that the question is one of ours. */
function isTelling(term: string): boolean {
  return versionsIn([term]).length > 0 || !(isCommonWord(term) || isNumber(term));
}

function indexOf(wordings: readonly Wording[]): MiniSearch {
  const index = new MiniSearch({
    fields: ["words"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
    searchOptions: { fuzzy: typingErrorsIn },
  });
  index.addAll(wordings.map(({ terms }, id) => ({ id, words: terms.join(" ") })));
  return index;
}

/** How many letters may be wrong: none in numbers and short words. */
function typingErrorsIn(term: string): number | false {
  if (isNumber(term) || term.length < 5) return false;
  return term.length < 9 ? 1 : 2;
}

function weightsOf(wordings: readonly Wording[]): ReadonlyMap<string, number> {
  const entriesWith = new Map<string, Set<Entry>>();
  for (const { entry, terms } of wordings.filter(({ answer }) => !answer)) {
    for (const term of terms) entriesWith.set(term, (entriesWith.get(term) ?? new Set()).add(entry));
  }
  return new Map(
    [...entriesWith].map(([term, entries]) => [term, Math.log(1 + ENTRIES.length / entries.size)]),
  );
}

function weightOf(term: string): number {
  return (WEIGHTS.get(term) ?? UNKNOWN_WEIGHT) * (isCommonWord(term) ? COMMON_WORD : 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
