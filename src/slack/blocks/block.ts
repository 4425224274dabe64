import type {
  ActionsBlock,
  ContextBlock,
  DataTableBlock,
  DividerBlock,
  HeaderBlock,
  InputBlock,
  PlainTextElement,
  RawNumberElement,
  RawTextElement,
  RichTextBlock,
  SectionBlock,
  TableBlock,
} from "@slack/types";
import { cut, escapeEntities, shown } from "./text.ts";

/** Table cells that parse no markup. */
export type RawCell = RawTextElement | RawNumberElement;
export type TextTable = Omit<TableBlock, "rows"> & { rows: RawCell[][] };
export type TextDataTable = Omit<DataTableBlock, "rows"> & { rows: RawCell[][] };

/** The blocks we build that a message shows. */
export type Block =
  | ActionsBlock
  | ContextBlock
  | TextDataTable
  | DividerBlock
  | HeaderBlock
  | RichTextBlock
  | SectionBlock
  | TextTable;

/** What a modal shows as well. */
export type ViewBlock = Block | InputBlock;

/** Builders that may need more than one block return a list; what lays blocks out takes both, and keeps a list together. */
export type Blocks<T = Block> = readonly (T | readonly T[])[];

export function flat<T extends ViewBlock>(blocks: Blocks<T>): T[] {
  return blocks.flat() as T[];
}

/** `emoji: false`: a `:name:` in a text from outside stays what it is. */
export function plainTextObject(text: string, limit: number): PlainTextElement {
  return { type: "plain_text", text: cut(shown(text), limit), emoji: false };
}

/** An identifier of ours, which comes back in interactions: cutting it off would act on something else. */
export function identifier(id: string, limit: number): string {
  if (id.length === 0 || id.length > limit) {
    throw new RangeError(`an identifier in a Slack block has 1 to ${limit} characters, not ${id.length}`);
  }
  return id;
}

const NOT_TEXT = new Set(["type", "block_id", "action_id", "value", "style", "url"]);

/**
 * Characters that a block adds to the text of its message. Which of them Slack counts is not documented, so
 * every string that a reader could see counts, as long as Slack may store it (`&` as `&amp;`).
 */
export function textLength(block: unknown): number {
  if (typeof block === "string") return escapeEntities(block.replace(/&(amp|lt|gt);/g, "$1")).length;
  if (Array.isArray(block)) return block.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (typeof block !== "object" || block === null) return 0;
  return Object.entries(block).reduce(
    (sum, [key, value]) => (NOT_TEXT.has(key) ? sum : sum + textLength(value)),
    0,
  );
}
