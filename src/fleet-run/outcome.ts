import { FINAL_RUN_OUTCOMES, type RunOutcome } from "#src/store/records.ts";

/** Whether nothing is left to do: a message that comes after it changes nothing. */
export function isFinal(outcome: RunOutcome): boolean {
  return FINAL_RUN_OUTCOMES.some((final) => final === outcome);
}
