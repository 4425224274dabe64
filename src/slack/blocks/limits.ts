/**
 * What Slack accepts in 2026, and what we allow ourselves below that. Sources: docs.slack.dev/reference/block-kit
 * (blocks, block elements, composition objects, views) and the doc comments of @slack/types 3.2.0; where another
 * source decides, it is named.
 */
export const LIMITS = {
  blocksInMessage: 50,
  blocksInView: 100,
  sectionText: 3_000,
  fieldsInSection: 10,
  fieldText: 2_000,
  headerText: 150,
  contextElements: 10,
  actionElements: 25,
  buttonText: 75,
  buttonValue: 2_000,
  url: 3_000,
  identifier: 255,
  overflowOptions: 5,
  selectOptions: 100,
  optionText: 75,
  optionValue: 150,
  placeholder: 150,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  tableRows: 100,
  tableColumns: 20,
  inputLabel: 2_000,
  inputLength: 3_000,
  modalTitle: 24,
  privateMetadata: 3_000,
} as const;

/**
 * Budgets of our own. Slack's limit on the text of all blocks together is not documented: `msg_blocks_too_long`
 * was seen from 11,341 characters on (slackapi/bolt-js #2509, #2867), so a message stops at 9,000. A single
 * block stops well below that, so that it shares a message with the line that explains it.
 */
export const BUDGETS = {
  messageText: 9_000,
  tableText: 7_000,
  tableCell: 300,
  tableCaption: 150,
  richText: 6_000,
  richTextItem: 1_000,
  listItems: 100,
  contextText: 600,
  optionsText: 6_000,
  fieldText: 600,
  /** The top-level text is a notification: 4,000 characters are recommended at most, 40,000 are refused. */
  fallbackText: 3_000,
  threadMessages: 5,
  /** Slack refuses a view from 250 KB on (`view_too_large`); text can take four bytes a character in JSON. */
  viewText: 40_000,
} as const;
