import { z } from "zod";
import { accessory, actionsElement, image, inputElement } from "./elements.ts";
import { richText } from "./rich-text.ts";
import { dataTable, dataVisualization, table } from "./tables.ts";
import { anyText, identifier, plainText, visible } from "./text.ts";

const id = { block_id: identifier.optional() };

const actions = z.strictObject({
  type: z.literal("actions"),
  ...id,
  elements: z.array(actionsElement).min(1).max(25),
});
const context = z.strictObject({
  type: z.literal("context"),
  ...id,
  elements: z
    .array(
      z.discriminatedUnion("type", [
        image,
        z.strictObject({
          type: z.literal("plain_text"),
          text: visible(3_000),
          emoji: z.boolean().optional(),
        }),
        z.strictObject({ type: z.literal("mrkdwn"), text: visible(3_000), verbatim: z.boolean().optional() }),
      ]),
    )
    .min(1)
    .max(10),
});
const divider = z.strictObject({ type: z.literal("divider"), ...id });
const header = z.strictObject({ type: z.literal("header"), ...id, text: plainText(150) });
const imageBlock = image.extend({ ...id, title: plainText(2_000).optional() });
const input = z.strictObject({
  type: z.literal("input"),
  ...id,
  label: plainText(2_000),
  element: inputElement,
  hint: plainText(2_000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});
const markdown = z.strictObject({ type: z.literal("markdown"), ...id, text: visible(12_000) });
const section = z
  .strictObject({
    type: z.literal("section"),
    ...id,
    text: anyText(3_000).optional(),
    fields: z.array(anyText(2_000)).min(1).max(10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine(({ text, fields }) => text !== undefined || fields !== undefined, {
    message: "missing required field: text",
  });
/** docs.slack.dev/reference/block-kit/blocks/alert-block: modals only. */
const alert = z.strictObject({
  type: z.literal("alert"),
  ...id,
  text: anyText(200),
  level: z.enum(["default", "info", "warning", "error", "success"]).optional(),
});

const everywhere = [actions, context, divider, header, imageBlock, input, richText, section] as const;

/** The blocks of each surface, as the "Available in surfaces" line of each block's page has them. */
export const blocksOf = {
  message: z.discriminatedUnion("type", [...everywhere, dataTable, dataVisualization, markdown, table]),
  modal: z.discriminatedUnion("type", [...everywhere, alert]),
  home: z.discriminatedUnion("type", [...everywhere, dataTable]),
} as const;
export type Surface = keyof typeof blocksOf;

/** Blocks that Slack has and that nothing here checks: passing them unchecked would be a false "fine". */
export const UNCHECKED_BLOCKS: ReadonlySet<string> = new Set([
  "call",
  "card",
  "carousel",
  "container",
  "context_actions",
  "file",
  "plan",
  "task_card",
  "video",
]);
