import type { RichTextBlock } from "@slack/types";
import { displayWidth } from "#src/report/text.ts";
import { type Block, type TextDataTable, type TextTable, textLength } from "./block.ts";
import type { SlackMessage } from "./message.ts";
import { preformatted } from "./rich-text.ts";

/**
 * The ways to say a message, best first: as built, then with plain tables for data tables, then with text for
 * tables. Slack refuses a whole message for one block that a workspace does not know yet (`invalid_blocks`), so
 * whoever posts tries the next one.
 */
export function fallbacks(message: SlackMessage): [SlackMessage, ...SlackMessage[]] {
  const types = new Set([...message.blocks, ...message.thread.flat()].map(({ type }) => type));
  return [
    message,
    ...(types.has("data_table") ? [withBlocks(message, plainTable)] : []),
    ...(types.has("data_table") || types.has("table") ? [withBlocks(message, tableAsText)] : []),
  ];
}

function withBlocks(message: SlackMessage, convert: (block: Block) => Block): SlackMessage {
  return {
    text: message.text,
    blocks: message.blocks.map(convert),
    thread: message.thread.map((blocks) => blocks.map(convert)),
  };
}

function plainTable(block: Block): Block {
  return block.type === "data_table" ? { type: "table", rows: block.rows } : block;
}

/** Tables as text in a fixed width; any other block as it is. */
export function tableAsText(block: Block): Block {
  return block.type === "data_table" || block.type === "table" ? asText(block) : block;
}

// What a table's text may be longer than the table was, in a message that was filled with it.
const ROOM = 1_000;

/** In columns where there is room for the spaces that this takes, and one after the other where there is not. */
function asText(block: TextDataTable | TextTable): RichTextBlock {
  const limit = textLength(block) + ROOM;
  const rows = block.rows.map((row) => row.map(({ text }) => text));
  const columns = inColumns(rows);
  const text = columns.length <= limit ? columns : rows.map((row) => row.join(" · ")).join("\n");
  return preformatted(text, { limit });
}

function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const [header = "", ...body] = rows.map((row) =>
    row
      .map((text, column) => text + " ".repeat((widths[column] ?? 0) - displayWidth(text)))
      .join("  ")
      .trimEnd(),
  );
  return [header, widths.map((width) => "-".repeat(width)).join("  "), ...body].join("\n");
}
