import type { RichTextBlock, RichTextElement, RichTextSection } from "@slack/types";
import { textLength } from "./block.ts";
import { BUDGETS } from "./limits.ts";
import { andMore, cut, shown, shownLines } from "./text.ts";

/** A run of text. Rich text parses no markup, so names need no escaping here. */
type Run =
  | string
  | { text: string; bold?: true; italic?: true; code?: true }
  | { link: string; text: string };

/** A line made of runs, at most 1,000 characters. */
export type Line = string | readonly Run[];

const NOTHING: RichTextElement = { type: "text", text: "-" };

/**
 * A list, one line an item. Items that do not fit are counted in a last line, which says where to see them when
 * `where` does.
 */
export function list(
  items: readonly Line[],
  options: { style?: "bullet" | "ordered"; what?: string; where?: string } = {},
): RichTextBlock {
  const sections: RichTextSection[] = [];
  let length = 0;
  for (const item of items.slice(0, BUDGETS.listItems)) {
    const next = richSection(item);
    length += textLength(next);
    if (length > BUDGETS.richText) break;
    sections.push(next);
  }
  const left = items.length - sections.length;
  return {
    type: "rich_text",
    elements: [
      ...(sections.length === 0
        ? []
        : [{ type: "rich_text_list" as const, style: options.style ?? "bullet", elements: sections }]),
      ...(left > 0 || sections.length === 0
        ? [richSection(left > 0 ? andMore(left, options.what ?? "items", options.where) : "none")]
        : []),
    ],
  };
}

/** Lines of text without bullets; lines that do not fit are counted. */
export function paragraph(...lines: readonly Line[]): RichTextBlock {
  const made: RichTextElement[][] = [];
  let length = 0;
  for (const line of lines) {
    const next = richSection(line).elements;
    length += textLength(next) + 1;
    if (length > BUDGETS.richText) break;
    made.push(next);
  }
  const left = lines.length - made.length;
  if (left > 0) made.push([{ type: "text", text: andMore(left, "lines") }]);
  // One section with line breaks, as Slack's own composer writes it: sections in a row are not lines.
  const elements = made.flatMap((line, index) =>
    index === 0 ? line : [{ type: "text" as const, text: "\n" }, ...line],
  );
  return {
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements: elements.length === 0 ? [NOTHING] : elements }],
  };
}

/** Text in a fixed width, its line breaks kept; what does not fit is counted in lines. */
export function preformatted(text: string, options: { where?: string; limit?: number } = {}): RichTextBlock {
  const limit = Math.min(options.limit ?? BUDGETS.richText, BUDGETS.richText);
  const lines = shownLines(text).split("\n");
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    const next = cut(line, BUDGETS.richTextItem);
    length += textLength(next) + 1;
    if (length > limit) break;
    kept.push(next);
  }
  const left = lines.length - kept.length;
  const note = left === 0 ? [] : [cut(andMore(left, "lines", options.where), BUDGETS.richTextItem)];
  return {
    type: "rich_text",
    elements: [
      { type: "rich_text_preformatted", elements: [{ type: "text", text: [...kept, ...note].join("\n") }] },
    ],
  };
}

function richSection(line: Line): RichTextSection {
  const runs = typeof line === "string" ? [line] : line;
  const elements: RichTextElement[] = [];
  let room: number = BUDGETS.richTextItem;
  for (const run of runs) {
    if (room < 100 && elements.length > 0) {
      elements.push({ type: "text", text: "…" });
      break;
    }
    const made = element(run, room);
    room -= textLength(made);
    elements.push(made);
  }
  return { type: "rich_text_section", elements: elements.length === 0 ? [NOTHING] : elements };
}

function element(run: Run, room: number): RichTextElement {
  if (typeof run === "string") return { type: "text", text: spaced(run, room) };
  if ("link" in run) {
    return isWebAddress(run.link)
      ? { type: "link", url: run.link, text: cut(shown(run.text), room) }
      : { type: "text", text: cut(shown(run.text), room) };
  }
  const { text, ...style } = run;
  return {
    type: "text",
    text: cut(shown(text), room),
    ...(Object.keys(style).length === 0 ? {} : { style }),
  };
}

/** Runs stand beside each other: the spaces at their ends are theirs to keep. */
function spaced(text: string, room: number): string {
  const before = /^\s/.test(text) ? " " : "";
  const after = /\S\s$/.test(text) ? " " : "";
  if (text.trim() === "" && text !== "") return " ";
  return `${before}${cut(shown(text), room - 2)}${after}`;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && address.length <= 2_000;
}
