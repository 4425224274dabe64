import { z } from "zod";
import { anyText, identifier, plainText, webAddress } from "./text.ts";

/** docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
const confirm = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(["primary", "danger"]).optional(),
});

/** docs.slack.dev/reference/block-kit/composition-objects/option-object */
function option(text: typeof optionText | typeof anyOptionText) {
  return z.strictObject({
    text,
    value: z.string().min(1).max(150),
    description: plainText(75).optional(),
    url: webAddress.optional(),
  });
}
const optionText = plainText(75);
const anyOptionText = anyText(75);
const options = (most: number) => z.array(option(optionText)).min(1).max(most);
const group = z.strictObject({ label: plainText(75), options: options(100) });

const action = { action_id: identifier.optional(), confirm: confirm.optional() };
const focus = { focus_on_load: z.boolean().optional() };
const placeholder = { placeholder: plainText(150).optional() };

const button = z.strictObject({
  type: z.literal("button"),
  text: plainText(75),
  ...action,
  value: z.string().max(2_000).optional(),
  url: webAddress.optional(),
  style: z.enum(["primary", "danger"]).optional(),
  accessibility_label: z.string().max(75).optional(),
});

const overflow = z.strictObject({ type: z.literal("overflow"), ...action, options: options(5) });

const staticSelect = z.strictObject({
  type: z.literal("static_select"),
  ...action,
  ...focus,
  ...placeholder,
  options: options(100).optional(),
  option_groups: z.array(group).min(1).max(100).optional(),
  initial_option: option(optionText).optional(),
});

const multiStaticSelect = staticSelect.omit({ initial_option: true }).extend({
  type: z.literal("multi_static_select"),
  initial_options: options(100).optional(),
  max_selected_items: z.int().min(1).optional(),
});

function fromWorkspace<T extends string>(type: T, initial: string) {
  return z.strictObject({
    type: z.literal(type),
    ...action,
    ...focus,
    ...placeholder,
    [initial]: z.string().optional(),
    response_url_enabled: z.boolean().optional(),
  });
}
const usersSelect = fromWorkspace("users_select", "initial_user");
const channelsSelect = fromWorkspace("channels_select", "initial_channel");
const conversationsSelect = fromWorkspace("conversations_select", "initial_conversation");

const day = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text), { message: "must match YYYY-MM-DD" });
const datepicker = z.strictObject({
  type: z.literal("datepicker"),
  ...action,
  ...focus,
  ...placeholder,
  initial_date: day.optional(),
});

const choices = { options: z.array(option(anyOptionText)).min(1).max(10) };
const radioButtons = z.strictObject({
  type: z.literal("radio_buttons"),
  ...action,
  ...focus,
  ...choices,
  initial_option: option(anyOptionText).optional(),
});
const checkboxes = z.strictObject({
  type: z.literal("checkboxes"),
  ...action,
  ...focus,
  ...choices,
  initial_options: choices.options.optional(),
});

const plainTextInput = z.strictObject({
  type: z.literal("plain_text_input"),
  action_id: identifier.optional(),
  ...focus,
  ...placeholder,
  initial_value: z.string().max(3_000).optional(),
  multiline: z.boolean().optional(),
  min_length: z.int().min(0).max(3_000).optional(),
  max_length: z.int().min(1).max(3_000).optional(),
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z.array(z.enum(["on_enter_pressed", "on_character_entered"])).optional(),
    })
    .optional(),
});

export const image = z.strictObject({
  type: z.literal("image"),
  image_url: webAddress,
  alt_text: z.string().min(1).max(2_000),
});

const pickers = [
  staticSelect,
  multiStaticSelect,
  usersSelect,
  channelsSelect,
  conversationsSelect,
  datepicker,
  radioButtons,
  checkboxes,
] as const;

/** What an actions block, a section and an input hold. */
export const actionsElement = z.discriminatedUnion("type", [button, overflow, ...pickers]);
export const accessory = z.discriminatedUnion("type", [button, overflow, image, ...pickers]);
export const inputElement = z.discriminatedUnion("type", [plainTextInput, ...pickers]);
