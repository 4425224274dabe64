import type { InputBlock } from "@slack/types";
import { WAIVER_DAYS_AT_MOST } from "#src/commands/waive.ts";
import { dateInput, textInput } from "../blocks/view.ts";

const DAY_MS = 86_400_000;
const DAYS_SUGGESTED = 30;
const REASON_LENGTH = 1_000;

/** Why, tracked where, until when: what every exception has to say. */
export function decisionInputs(now: Date): InputBlock[] {
  return [
    textInput({
      name: "reason",
      label: "Reason",
      hint: "Everybody who sees the verdict sees it.",
      multiline: true,
      maxLength: REASON_LENGTH,
    }),
    textInput({ name: "ticket", label: "Ticket", optional: true, maxLength: 200 }),
    dateInput({
      name: "expires",
      label: "Until",
      hint: `At most ${WAIVER_DAYS_AT_MOST} days from today.`,
      initial: dayAfter(now, DAYS_SUGGESTED),
    }),
  ];
}

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, "2027-03-01".length);
}

/** Whole days from today (UTC) to the day that was chosen; null where none was. */
export function daysUntil(date: string | null | undefined, now: Date): number | null {
  if (date === null || date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const days = (Date.parse(date) - Date.parse(dayAfter(now, 0))) / DAY_MS;
  return Number.isInteger(days) ? days : null;
}

/** What is wrong with the day, in words; null where nothing is. */
export function dayError(days: number | null): string | null {
  if (days === null) return "Choose a day.";
  if (days < 1) return "Choose a day after today.";
  return days > WAIVER_DAYS_AT_MOST ? `At most ${WAIVER_DAYS_AT_MOST} days from today.` : null;
}
