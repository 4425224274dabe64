import type { ContextBlock, DividerBlock, HeaderBlock, SectionBlock } from "@slack/types";
import { plainTextObject, textLength } from "./block.ts";
import type { Button, Menu } from "./elements.ts";
import { BUDGETS, LIMITS } from "./limits.ts";
import { type Inline, joined, md, mrkdwnObject } from "./mrkdwn.ts";
import { andMore } from "./text.ts";

/** A large bold line. Parses no markup: an emoji is its one character (🔴), not its `:name:`. */
export function header(text: string): HeaderBlock {
  return { type: "header", text: plainTextObject(text, LIMITS.headerText) };
}

export function divider(): DividerBlock {
  return { type: "divider" };
}

/** A paragraph, with one control beside it where given. Longer than 3,000 characters, it says what is missing. */
export function section(text: Inline, accessory?: Button | Menu): SectionBlock {
  const room = BUDGETS.messageText - 1_000 - textLength(accessory);
  return {
    type: "section",
    text: mrkdwnObject(text, Math.min(LIMITS.sectionText, room)),
    ...(accessory === undefined ? {} : { accessory }),
  };
}

/** Labels and values in two columns, ten to a section. */
export function fields(pairs: readonly { label: string; value: Inline }[]): SectionBlock[] {
  return chunks(pairs, LIMITS.fieldsInSection).map((chunk) => ({
    type: "section",
    fields: chunk.map(({ label, value }) =>
      mrkdwnObject(joined([md`*${label}*`, value], "\n"), BUDGETS.fieldText),
    ),
  }));
}

/** Small grey texts. Past the tenth, the last one says how many more there are. */
export function context(...texts: readonly Inline[]): ContextBlock {
  const elements = texts.map((text) => mrkdwnObject(text, BUDGETS.contextText));
  const all = elements.length <= LIMITS.contextElements;
  const shownOnes = all ? elements : elements.slice(0, LIMITS.contextElements - 1);
  if (shownOnes.length === 0) return context("");
  const left = elements.length - shownOnes.length;
  return {
    type: "context",
    elements:
      left === 0 ? shownOnes : [...shownOnes, mrkdwnObject(andMore(left, "notes"), BUDGETS.contextText)],
  };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
