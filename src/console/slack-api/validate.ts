import { z } from "zod";
import { type Problem, pointerTo, problemsOf } from "./problems.ts";
import { blocksOf, type Surface } from "./schemas/blocks.ts";
import { identifier, plainText } from "./schemas/text.ts";
import { duplicateIdentifiers, tableProblems, textOfBlocks } from "./whole-message.ts";

const TEXT_LIMIT = 40_000;
/** Not documented; slackapi/bolt-js #2509 names 12,000 characters "with a buffer for block containers". */
const BLOCKS_TEXT_LIMIT = 12_000;
const VIEW_BYTES = 250 * 1024;

/**
 * Why Slack would refuse the arguments of `chat.postMessage`, or what is sent to a `response_url`; empty when it
 * takes them. Written from Slack's documentation alone, so that it can judge what our builders make.
 */
export function validateMessage(
  payload: { text?: unknown; blocks?: unknown },
  options: {
    /** `respond()` was not seen to run into the limit on the text of all blocks (slackapi/bolt-js #2867). */
    via?: "web-api" | "response_url";
    /** Block types that this workspace does not have yet: Slack brings them in workspace by workspace. */
    missing?: ReadonlySet<string>;
  } = {},
): Problem[] {
  const text = typeof payload.text === "string" ? payload.text : "";
  const problems: Problem[] = [];
  if (text.length > TEXT_LIMIT) {
    problems.push({ error: "msg_too_long", message: "msg_too_long", pointer: "" });
  }
  if (payload.blocks === undefined || payload.blocks === null) {
    return text.trim() === "" ? [{ error: "no_text", message: "no_text", pointer: "" }] : problems;
  }
  if (!Array.isArray(payload.blocks)) {
    return [{ error: "invalid_blocks_format", message: "must be an array of blocks", pointer: "/blocks" }];
  }
  if (payload.blocks.length === 0 && text.trim() === "") {
    problems.push({ error: "no_text", message: "no_text", pointer: "" });
  }
  problems.push(
    ...blockProblems(payload.blocks, "message", ["blocks"], "invalid_blocks"),
    ...tableProblems(payload.blocks),
    ...payload.blocks.flatMap((block, index): Problem[] => {
      const type = typeOf(block);
      if (typeof type !== "string" || options.missing?.has(type) !== true) return [];
      const pointer = pointerTo(["blocks", index, "type"]);
      return [{ error: "invalid_blocks", message: `unsupported type: ${type}`, pointer }];
    }),
  );
  if (options.via !== "response_url" && textOfBlocks(payload.blocks) > BLOCKS_TEXT_LIMIT) {
    problems.push({ error: "msg_blocks_too_long", message: "msg_blocks_too_long", pointer: "" });
  }
  return problems;
}

const viewParts = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3_000).optional(),
  callback_id: identifier.optional(),
  external_id: z.string().max(255).optional(),
};
const viewSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("home"), ...viewParts }),
  z.strictObject({
    type: z.literal("modal"),
    ...viewParts,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
  }),
]);

/** Why Slack would refuse a view (`views.open`, `.push`, `.update`, `.publish`); empty when it takes it. */
export function validateView(view: unknown): Problem[] {
  const parsed = viewSchema.safeParse(view);
  if (!parsed.success) return problemsOf(parsed.error.issues, view, ["view"], "invalid_arguments");
  const { type, blocks } = parsed.data;
  const problems = blockProblems(blocks, type, ["view", "blocks"], "invalid_arguments");
  const asks = blocks.some((block) => typeOf(block) === "input");
  if (parsed.data.type === "modal" && asks && parsed.data.submit === undefined) {
    problems.push({
      error: "invalid_arguments",
      message: "missing required field: submit",
      pointer: "/view",
    });
  }
  if (Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES) {
    problems.push({ error: "view_too_large", message: "view_too_large", pointer: "/view" });
  }
  return problems;
}

function blockProblems(
  blocks: readonly unknown[],
  surface: Surface,
  at: readonly string[],
  error: Problem["error"],
): Problem[] {
  const most = surface === "message" ? 50 : 100;
  const tooMany =
    blocks.length > most
      ? [{ error, message: `no more than ${most} items allowed`, pointer: pointerTo(at) }]
      : [];
  const each = blocks.flatMap((block, index) => {
    const parsed = blocksOf[surface].safeParse(block);
    return parsed.success ? [] : problemsOf(parsed.error.issues, block, [...at, index], error);
  });
  return [...tooMany, ...each, ...duplicateIdentifiers(blocks, at, error)];
}

function typeOf(block: unknown): unknown {
  return typeof block === "object" && block !== null && "type" in block ? block.type : undefined;
}
