import { type FleetNumbers, fleetNumbersOf } from "#src/knowledge/fleet-numbers.ts";
import { type Answer, answerQuestion } from "#src/knowledge/search.ts";
import type { AuditStore } from "#src/store/store.ts";

/** An answer from the knowledge base, completed by the fleet's own numbers where there is a fleet. */
export async function ask(
  question: string,
  store: Pick<AuditStore, "latestAll"> | null,
  now: Date,
): Promise<Answer> {
  const fleet = store === null ? undefined : await numbersOf(store);
  return answerQuestion(question, { now, ...(fleet === undefined ? {} : { fleet }) });
}

async function numbersOf(store: Pick<AuditStore, "latestAll">): Promise<FleetNumbers | undefined> {
  const audits = await Array.fromAsync(store.latestAll());
  return audits.length === 0 ? undefined : fleetNumbersOf(audits);
}
