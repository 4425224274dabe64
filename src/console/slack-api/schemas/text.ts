import { z } from "zod";

/** Slack refuses texts without a visible character with the words that it has for empty ones. */
export function visible(limit: number) {
  return z
    .string()
    .max(limit)
    .refine((text) => text.trim() !== "", { message: "must be more than 0 characters" });
}

/** docs.slack.dev/reference/block-kit/composition-objects/text-object */
export function plainText(limit = 3_000) {
  return z.strictObject({
    type: z.literal("plain_text"),
    text: visible(limit),
    emoji: z.boolean().optional(),
  });
}

function mrkdwn(limit = 3_000) {
  return z.strictObject({
    type: z.literal("mrkdwn"),
    text: visible(limit),
    verbatim: z.boolean().optional(),
  });
}

export function anyText(limit = 3_000) {
  return z.discriminatedUnion("type", [plainText(limit), mrkdwn(limit)]);
}

export const identifier = z.string().min(1).max(255);
/** Slack takes addresses that a browser would follow; a relative one is refused. */
export const webAddress = z
  .string()
  .max(3_000)
  .refine((text) => URL.canParse(text), { message: "must be a valid URL" });
