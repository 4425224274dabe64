import { z } from "zod";
import { identifier, webAddress } from "./text.ts";

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    underline: z.boolean().optional(),
    code: z.boolean().optional(),
  })
  .optional();

const text = z.strictObject({ type: z.literal("text"), text: z.string().min(1), style });
const link = z.strictObject({
  type: z.literal("link"),
  url: webAddress,
  text: z.string().min(1).optional(),
  unsafe: z.boolean().optional(),
  style,
});
const element = z.discriminatedUnion("type", [
  text,
  link,
  z.strictObject({
    type: z.literal("emoji"),
    name: z.string().min(1),
    unicode: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal("user"), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal("usergroup"), usergroup_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal("channel"), channel_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal("broadcast"), range: z.enum(["here", "channel", "everyone"]), style }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();
const section = z.strictObject({ type: z.literal("rich_text_section"), elements: z.array(element).min(1) });

/** docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export const richText = z.strictObject({
  type: z.literal("rich_text"),
  block_id: identifier.optional(),
  elements: z
    .array(
      z.discriminatedUnion("type", [
        section,
        z.strictObject({
          type: z.literal("rich_text_list"),
          style: z.enum(["bullet", "ordered"]),
          elements: z.array(section).min(1),
          indent: z.int().min(0).max(8).optional(),
          offset: z.int().min(0).optional(),
          border,
        }),
        z.strictObject({
          type: z.literal("rich_text_preformatted"),
          elements: z.array(z.discriminatedUnion("type", [text, link])).min(1),
          border,
        }),
        z.strictObject({ type: z.literal("rich_text_quote"), elements: z.array(element).min(1), border }),
      ]),
    )
    .min(1),
});
