import type { Certainty } from "#src/model/finding.ts";
import type { FleetQuestion } from "./fleet-numbers.ts";
import type { SourceId } from "./sources.ts";

/** What an answer may depend on. */
export interface AnswerContext {
  now: Date;
  /** Kubernetes minor versions that the question names, in its order: `1.38`. */
  versions: readonly string[];
}

export interface AnswerText {
  /** Plain text, two to six sentences; the first one answers. */
  text: string;
  /** Of the least certain statement that the answer hangs on. */
  certainty: Certainty;
}

/** One question people ask, with the wordings it comes in, its answer and the facts the answer rests on. */
export interface Entry {
  id: string;
  question: string;
  /** Other wordings, short forms and typing errors included. */
  askedAs: readonly string[];
  answer(context: AnswerContext): AnswerText;
  facts: readonly SourceId[];
  /** Set where the question repeats a popular claim. */
  claim?: "true" | "false" | "half";
  /** Which part of the fleet the question is about. */
  fleetQuestion?: FleetQuestion;
  /** Identifiers of entries that people ask about next. */
  related: readonly string[];
}
