import type { Datepicker, HomeView, InputBlock, ModalView, PlainTextInput, StaticSelect } from "@slack/types";
import { type Blocks, flat, identifier, plainTextObject, textLength, type ViewBlock } from "./block.ts";
import { type Choice, select } from "./elements.ts";
import { tableAsText } from "./fallback.ts";
import { BUDGETS, LIMITS } from "./limits.ts";
import { context } from "./section.ts";
import { andMore, cut } from "./text.ts";

/** A dialog. Inputs always stay; where it grows too long, what stands between them makes room. */
export function modal(options: {
  title: string;
  submit?: string;
  close?: string;
  callback: string;
  /** Opaque, at most 3,000 characters: what the dialog is about is read from the store. */
  metadata?: string;
  blocks: Blocks<ViewBlock>;
  where?: string;
}): ModalView {
  const blocks = fitting(flat(options.blocks), options.where);
  const submit = options.submit ?? (blocks.some(({ type }) => type === "input") ? "Submit" : undefined);
  return {
    type: "modal",
    title: plainTextObject(options.title, LIMITS.modalTitle),
    close: plainTextObject(options.close ?? "Cancel", LIMITS.modalTitle),
    ...(submit === undefined ? {} : { submit: plainTextObject(submit, LIMITS.modalTitle) }),
    callback_id: identifier(options.callback, LIMITS.identifier),
    ...(options.metadata === undefined
      ? {}
      : { private_metadata: identifier(options.metadata, LIMITS.privateMetadata) }),
    blocks,
  };
}

/** A person's page of the app. */
export function home(options: { blocks: Blocks<ViewBlock>; where?: string }): HomeView {
  return { type: "home", blocks: fitting(flat(options.blocks), options.where) };
}

/** Tables are for messages (docs.slack.dev, table block): views show them as text. */
function fitting(blocks: readonly ViewBlock[], where: string | undefined): ViewBlock[] {
  const texts = blocks.map((block) => (block.type === "input" ? block : tableAsText(block)));
  const inputs = texts.filter(({ type }) => type === "input");
  let room = LIMITS.blocksInView - 1 - inputs.length;
  let length = BUDGETS.viewText - textLength(inputs);
  const kept = texts.filter((block) => {
    if (block.type === "input") return true;
    room -= 1;
    length -= textLength(block);
    return room >= 0 && length >= 0;
  });
  const left = texts.length - kept.length;
  return left === 0 ? kept : [...kept, context(andMore(left, "parts of this page", where))];
}

interface InputOptions {
  /** `block_id` and `action_id` of the input, by which the submitted value is found. */
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
}

/** A text to type in; at most 3,000 characters. */
export function textInput(
  options: InputOptions & { multiline?: boolean; initial?: string; placeholder?: string; maxLength?: number },
): InputBlock {
  const maxLength = Math.min(options.maxLength ?? LIMITS.inputLength, LIMITS.inputLength);
  const element: PlainTextInput = {
    type: "plain_text_input",
    action_id: identifier(options.name, LIMITS.identifier),
    multiline: options.multiline ?? false,
    max_length: maxLength,
    ...(options.initial === undefined || options.initial.trim() === ""
      ? {}
      : { initial_value: cut(options.initial.toWellFormed(), maxLength) }),
    ...placeholder(options.placeholder),
  };
  return input(options, element);
}

/** A choice from a list. */
export function selectInput(
  options: InputOptions & { placeholder: string; choices: readonly [Choice, ...Choice[]]; initial?: string },
): InputBlock {
  return input(options, select({ ...options, action: options.name }));
}

/** A day. `initial` is `YYYY-MM-DD`; anything else is left out. */
export function dateInput(options: InputOptions & { initial?: string; placeholder?: string }): InputBlock {
  const initial = /^\d{4}-\d{2}-\d{2}$/.test(options.initial ?? "") ? options.initial : undefined;
  return input(options, {
    type: "datepicker",
    action_id: identifier(options.name, LIMITS.identifier),
    ...(initial === undefined ? {} : { initial_date: initial }),
    ...placeholder(options.placeholder),
  });
}

function placeholder(text: string | undefined): Pick<PlainTextInput, "placeholder"> {
  return text === undefined ? {} : { placeholder: plainTextObject(text, LIMITS.placeholder) };
}

function input(options: InputOptions, element: PlainTextInput | Datepicker | StaticSelect): InputBlock {
  return {
    type: "input",
    block_id: identifier(options.name, LIMITS.identifier),
    label: plainTextObject(options.label, BUDGETS.contextText),
    ...(options.hint === undefined ? {} : { hint: plainTextObject(options.hint, BUDGETS.contextText) }),
    optional: options.optional ?? false,
    element,
  };
}
