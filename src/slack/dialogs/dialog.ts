import { z } from "zod";
import type { Inline } from "../blocks/mrkdwn.ts";
import type { Who } from "../roles.ts";
import type { SlackServices } from "../services.ts";

/** A dialog that was submitted. */
export interface Submission {
  services: SlackServices;
  who: Who;
  metadata: string;
  /** What was entered, by the input's name. */
  values: Readonly<Record<string, string | null>>;
}

/** What the person sees: errors at the inputs, or what was done. */
export type SubmissionResult = { errors: Record<string, string> } | { done: Inline };

export interface Dialog {
  callback: string;
  submit(submission: Submission): Promise<SubmissionResult>;
}

const element = z.looseObject({
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
});
const stateSchema = z.object({ values: z.record(z.string(), z.record(z.string(), element)) });

/** The submitted values by the name of their input, whose block and action are called the same. */
export function submittedValues(state: unknown): Record<string, string | null> {
  const { values } = stateSchema.parse(state);
  return Object.fromEntries(
    Object.entries(values).map(([name, block]) => {
      const entered = block[name];
      return [name, entered?.value ?? entered?.selected_date ?? entered?.selected_option?.value ?? null];
    }),
  );
}
