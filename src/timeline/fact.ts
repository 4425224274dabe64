import type { Certainty } from "#src/model/finding.ts";

/** One claim the product rests on: what it says, who says so, when that was read and how sure it is. */
export interface Fact {
  id: string;
  /** One sentence in plain words. */
  claim: string;
  /** Document and section, pull request or source file. */
  source: string;
  sourceUrl?: string;
  /** The day the source was last read. */
  checkedAt: string;
  /** `high`: read in a primary source. `medium`: indirect, or inferred from adjacent code. `low`: secondary. */
  confidence: "high" | "medium" | "low";
  certainty: Certainty;
}

/** A popular claim that people ask about, and what is true instead. */
export interface JudgedClaim extends Fact {
  /** As people say it. `claim` holds what is true. */
  popular: string;
  verdict: "false" | "true" | "half true" | "outdated";
}
