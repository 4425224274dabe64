import type {
  ActionsBlock,
  ColorScheme,
  ConfirmationDialog,
  Overflow,
  PlainTextOption,
  Button as SlackButton,
  StaticSelect,
} from "@slack/types";
import { identifier, plainTextObject, textLength } from "./block.ts";
import { BUDGETS, LIMITS } from "./limits.ts";
import { formatted } from "./text.ts";

/** Controls as the builders make them: always with the `action_id` that their interaction is known by. */
export type Button = SlackButton & { action_id: string };
export type Menu = (StaticSelect | Overflow) & { action_id: string };

// Leaves room for the suffix that tells controls of one action apart (`distinct`).
const ACTION_ID = LIMITS.identifier - 5;

export interface Choice {
  text: string;
  /** Opaque, at most 150 characters: what is chosen is looked up by it. */
  value: string;
  description?: string;
}

/**
 * A button. `value` is an opaque identifier: what the button acts on is read from the store when it is pressed,
 * never from the message.
 */
export function button(options: {
  action: string;
  text: string;
  value?: string;
  url?: string;
  style?: ColorScheme;
  confirm?: ConfirmationDialog;
}): Button {
  return {
    type: "button",
    action_id: identifier(options.action, ACTION_ID),
    text: plainTextObject(options.text, LIMITS.buttonText),
    ...(options.value === undefined ? {} : { value: identifier(options.value, LIMITS.buttonValue) }),
    ...(options.url === undefined || options.url.length > LIMITS.url || !URL.canParse(options.url)
      ? {}
      : { url: options.url }),
    ...(options.style === undefined ? {} : { style: options.style }),
    ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
  };
}

/** The question that Slack asks before it sends the interaction. */
export function confirm(options: {
  title: string;
  text: string;
  yes: string;
  no: string;
  style?: ColorScheme;
}): ConfirmationDialog {
  return {
    title: plainTextObject(options.title, LIMITS.confirmTitle),
    text: plainTextObject(options.text, LIMITS.confirmText),
    confirm: plainTextObject(options.yes, LIMITS.confirmButton),
    deny: plainTextObject(options.no, LIMITS.confirmButton),
    ...(options.style === undefined ? {} : { style: options.style }),
  };
}

/** A menu of choices. Where not all of them fit, its placeholder says how many there are. */
export function select(options: {
  action: string;
  placeholder: string;
  choices: readonly [Choice, ...Choice[]];
  /** The value of the choice made at first; ignored when it is not among those that fit. */
  initial?: string;
}): StaticSelect & { action_id: string } {
  const made = fitting(options.choices, LIMITS.selectOptions);
  const left = options.choices.length - made.length;
  const note = ` (first ${formatted(made.length)} of ${formatted(options.choices.length)})`;
  const placeholder = plainTextObject(
    options.placeholder,
    LIMITS.placeholder - (left === 0 ? 0 : note.length),
  );
  const initial = made.find(({ value }) => value === options.initial);
  return {
    type: "static_select",
    action_id: identifier(options.action, ACTION_ID),
    placeholder: left === 0 ? placeholder : { ...placeholder, text: `${placeholder.text}${note}` },
    options: made,
    ...(initial === undefined ? {} : { initial_option: initial }),
  };
}

/** An overflow menu, or a menu with a placeholder where there are more than the five choices that one holds. */
export function overflow(options: {
  action: string;
  placeholder: string;
  choices: readonly [Choice, ...Choice[]];
}): Menu {
  if (options.choices.length > LIMITS.overflowOptions) return select(options);
  return {
    type: "overflow",
    action_id: identifier(options.action, ACTION_ID),
    options: options.choices.map(option),
  };
}

/** Rows of controls: a menu has a row of its own, buttons share one as far as 25, and what they say, go. */
export function actions(controls: readonly (Button | Menu)[]): ActionsBlock[] {
  const rows: (Button | Menu)[][] = [];
  for (const control of controls) {
    const row = rows.at(-1);
    if (row !== undefined && shareRow(row, control)) row.push(control);
    else rows.push([control]);
  }
  return rows.map((row) => ({ type: "actions", elements: distinct(row) }));
}

function shareRow(row: readonly (Button | Menu)[], control: Button | Menu): boolean {
  return (
    row.length < LIMITS.actionElements &&
    [...row, control].every(({ type }) => type === "button") &&
    textLength([...row, control]) <= BUDGETS.optionsText
  );
}

// Slack refuses two controls with one action_id in a block; the suffix is what `actionOf` takes off again.
function distinct(row: readonly (Button | Menu)[]): (Button | Menu)[] {
  const seen = new Map<string, number>();
  return row.map((control) => {
    const times = seen.get(control.action_id) ?? 0;
    seen.set(control.action_id, times + 1);
    return times === 0 ? control : { ...control, action_id: `${control.action_id}#${times + 1}` };
  });
}

/** The action that an interaction's `action_id` names, whichever of several controls in a row sent it. */
export function actionOf(actionId: string): string {
  return actionId.replace(/#\d+$/, "");
}

function fitting(choices: readonly Choice[], most: number): PlainTextOption[] {
  const made: PlainTextOption[] = [];
  let length = 0;
  for (const choice of choices.slice(0, most)) {
    const next = option(choice);
    length += textLength(next);
    if (length > BUDGETS.optionsText) break;
    made.push(next);
  }
  return made;
}

function option(choice: Choice): PlainTextOption {
  return {
    text: plainTextObject(choice.text, LIMITS.optionText),
    value: identifier(choice.value, LIMITS.optionValue),
    ...(choice.description === undefined
      ? {}
      : { description: plainTextObject(choice.description, LIMITS.optionText) }),
  };
}
