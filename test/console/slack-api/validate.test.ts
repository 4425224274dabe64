import { describe, expect, it } from "vitest";
import { problemText } from "#src/console/slack-api/problems.ts";
import { validateMessage, validateView } from "#src/console/slack-api/validate.ts";

const plain = (text: string) => ({ type: "plain_text", text });
const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const section = (text: string) => ({ type: "section", text: mrkdwn(text) });
const button = { type: "button", action_id: "a", text: plain("Go") };
const actions = (...elements: object[]) => ({ type: "actions", elements });
const option = { text: plain("One"), value: "1" };
const menu = (change: object) => ({
  type: "static_select",
  action_id: "a",
  placeholder: plain("Choose"),
  options: [option],
  ...change,
});
const raw = (text: string) => ({ type: "raw_text", text });
const table = (...rows: object[][]) => ({ type: "table", rows });
const dataTable = (...rows: object[][]) => ({ type: "data_table", caption: "Fleet", rows });
const rich = (...elements: object[]) => ({ type: "rich_text", elements });
const richSection = (text: string) => ({ type: "rich_text_section", elements: [{ type: "text", text }] });
const chart = (chart: object, title = "Modes") => ({ type: "data_visualization", title, chart });
const pie = chart({ type: "pie", segments: [{ label: "ipvs", value: 3 }] });
const bar = (labels: string[], categories: string[]) =>
  chart({
    type: "bar",
    series: [{ name: "ipvs", data: labels.map((label) => ({ label, value: 1 })) }],
    axis_config: { categories },
  });

describe("validateMessage", () => {
  it("takes one of every block as Slack documents it", () => {
    const blocks = [
      { type: "header", block_id: "h", text: plain("Fleet") },
      { ...section("*one*"), accessory: { type: "overflow", action_id: "o", options: [option] } },
      { type: "section", fields: times(10, () => mrkdwn("x".repeat(200))) },
      { type: "context", elements: [mrkdwn("a"), plain("b")] },
      { type: "divider" },
      actions(button, menu({ action_id: "b" })),
      dataTable([raw("Name"), raw("Nodes")], [raw("a"), { type: "raw_number", value: 3, text: "3" }]),
      rich(richSection("a"), { type: "rich_text_list", style: "bullet", elements: [richSection("b")] }),
      pie,
      bar(["Q1", "Q2"], ["Q1", "Q2"]),
      { type: "markdown", text: "# a" },
    ];
    expect(validateMessage({ text: "fleet", blocks })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      "a block that Slack does not have",
      { type: "chart" },
      "[ERROR] unsupported type: chart [json-pointer:/blocks/0/type]",
    ],
    [
      "an alert: modals only",
      { type: "alert", text: plain("a") },
      "[ERROR] unsupported type: alert [json-pointer:/blocks/0/type]",
    ],
    [
      "a block that is not checked here, rather than pass it unseen",
      { type: "card" },
      "[ERROR] blocks of type card are not checked here: add their schema first [json-pointer:/blocks/0/type]",
    ],
    [
      "an empty text",
      section(""),
      "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]",
    ],
    [
      "a blank text",
      section(" \n"),
      "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]",
    ],
    [
      "3,001 characters in a section",
      section("x".repeat(3_001)),
      "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ],
    [
      "a section of nothing",
      { type: "section" },
      "[ERROR] missing required field: text [json-pointer:/blocks/0]",
    ],
    [
      "eleven fields",
      { type: "section", fields: times(11, () => mrkdwn("a")) },
      "[ERROR] no more than 10 items allowed [json-pointer:/blocks/0/fields]",
    ],
    [
      "2,001 characters in a field",
      { type: "section", fields: [mrkdwn("x".repeat(2_001))] },
      "[ERROR] must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
    ],
    [
      "151 characters in a header",
      { type: "header", text: plain("x".repeat(151)) },
      "[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]",
    ],
    [
      "markup in a header",
      { type: "header", text: mrkdwn("a") },
      "[ERROR] must be one of: plain_text [json-pointer:/blocks/0/text/type]",
    ],
    [
      "eleven context elements",
      { type: "context", elements: times(11, () => mrkdwn("a")) },
      "[ERROR] no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ],
    [
      "a property that the block does not have",
      { type: "divider", text: "a" },
      "[ERROR] invalid additional property: text [json-pointer:/blocks/0]",
    ],
    [
      "26 buttons",
      actions(...times(26, (at) => ({ ...button, action_id: `a${at}` }))),
      "[ERROR] no more than 25 items allowed [json-pointer:/blocks/0/elements]",
    ],
    ["no buttons", actions(), "[ERROR] no less than 1 items allowed [json-pointer:/blocks/0/elements]"],
    [
      "76 characters on a button",
      actions({ ...button, text: plain("x".repeat(76)) }),
      "[ERROR] must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
    ],
    [
      "2,001 characters in a button's value",
      actions({ ...button, value: "x".repeat(2_001) }),
      "[ERROR] must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
    ],
    [
      "256 characters in an action_id",
      actions({ ...button, action_id: "x".repeat(256) }),
      "[ERROR] must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
    ],
    [
      "a colour that buttons do not have",
      actions({ ...button, style: "warning" }),
      "[ERROR] must be one of: primary, danger [json-pointer:/blocks/0/elements/0/style]",
    ],
    [
      "two controls of one action_id in a block",
      actions(button, button),
      '[ERROR] `action_id` "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      "101 options",
      actions(menu({ options: times(101, () => option) })),
      "[ERROR] no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]",
    ],
    [
      "six overflow options",
      actions({ type: "overflow", action_id: "a", options: times(6, () => option) }),
      "[ERROR] no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]",
    ],
    [
      "76 characters in an option",
      actions(menu({ options: [{ ...option, text: plain("x".repeat(76)) }] })),
      "[ERROR] must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]",
    ],
    [
      "151 characters in an option's value",
      actions(menu({ options: [{ ...option, value: "x".repeat(151) }] })),
      "[ERROR] must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
    ],
    [
      "an option without a value",
      actions(menu({ options: [{ text: plain("One") }] })),
      "[ERROR] missing required field: value [json-pointer:/blocks/0/elements/0/options/0]",
    ],
    [
      "301 characters in a question",
      actions({
        ...button,
        confirm: {
          title: plain("a"),
          text: plain("x".repeat(301)),
          confirm: plain("Yes"),
          deny: plain("No"),
        },
      }),
      "[ERROR] must be less than 301 characters [json-pointer:/blocks/0/elements/0/confirm/text/text]",
    ],
    [
      "101 rows",
      table(...times(101, () => [raw("a")])),
      "[ERROR] no more than 100 items allowed [json-pointer:/blocks/0/rows]",
    ],
    [
      "21 columns",
      table(times(21, () => raw("a"))),
      "[ERROR] no more than 20 items allowed [json-pointer:/blocks/0/rows/0]",
    ],
    [
      "an empty cell",
      table([raw("")]),
      "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]",
    ],
    [
      "10,001 characters in a table",
      table(...times(100, () => [raw("x".repeat(101))])),
      "[ERROR] the cells of all tables must be less than 10001 characters [json-pointer:/blocks/0/rows]",
    ],
    [
      "a data table with a header alone",
      dataTable([raw("Name")]),
      "[ERROR] no less than 2 items allowed [json-pointer:/blocks/0/rows]",
    ],
    [
      "101 rows below a data table's header",
      dataTable(...times(102, () => [raw("a")])),
      "[ERROR] no more than 101 items allowed [json-pointer:/blocks/0/rows]",
    ],
    [
      "a data table with a ragged row",
      dataTable([raw("a"), raw("b")], [raw("c")]),
      "[ERROR] all rows must have the same number of cells [json-pointer:/blocks/0/rows/1]",
    ],
    [
      "rich text in a data table's header",
      dataTable([rich(richSection("a"))], [raw("b")]),
      "[ERROR] unsupported type: rich_text [json-pointer:/blocks/0/rows/0/0/type]",
    ],
    [
      "a data table without a caption",
      { type: "data_table", rows: [[raw("a")], [raw("b")]] },
      "[ERROR] missing required field: caption [json-pointer:/blocks/0]",
    ],
    [
      "empty rich text",
      rich(richSection("")),
      "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
    ],
    [
      "51 characters over a chart",
      chart({ type: "pie", segments: [{ label: "a", value: 1 }] }, "x".repeat(51)),
      "[ERROR] must be less than 51 characters [json-pointer:/blocks/0/title]",
    ],
    [
      "a series that misses a category",
      bar(["Q1"], ["Q1", "Q2"]),
      "[ERROR] data labels must match the axis categories [json-pointer:/blocks/0/chart/series/0/data]",
    ],
  ])("refuses %s", (_, block, text) => {
    expect(validateMessage({ text: "a", blocks: [block] }).map(problemText)).toEqual([text]);
  });

  it.each<[string, { text?: string; blocks?: unknown }, { error: string; pointer: string }[]]>([
    ["nothing to say", {}, [{ error: "no_text", pointer: "" }]],
    ["40,001 characters of text", { text: "x".repeat(40_001) }, [{ error: "msg_too_long", pointer: "" }]],
    [
      "blocks that are no list",
      { text: "a", blocks: "[{" },
      [{ error: "invalid_blocks_format", pointer: "/blocks" }],
    ],
    [
      "51 blocks",
      { text: "a", blocks: times(51, () => ({ type: "divider" })) },
      [{ error: "invalid_blocks", pointer: "/blocks" }],
    ],
    [
      "12,001 characters in all blocks together",
      { text: "a", blocks: [...times(4, () => section("x".repeat(3_000))), section("y")] },
      [{ error: "msg_blocks_too_long", pointer: "" }],
    ],
    [
      "one block_id twice",
      { text: "a", blocks: times(2, () => ({ type: "divider", block_id: "d" })) },
      [{ error: "invalid_blocks", pointer: "/blocks/1/block_id" }],
    ],
    [
      "a table beside a data table",
      { text: "a", blocks: [table([raw("a")]), dataTable([raw("a")], [raw("b")])] },
      [{ error: "invalid_attachments", pointer: "/blocks/1" }],
    ],
    [
      "a third chart",
      { text: "a", blocks: times(3, () => pie) },
      [{ error: "invalid_blocks", pointer: "/blocks/2" }],
    ],
  ])("refuses %s", (_, payload, found) => {
    expect(validateMessage(payload).map(({ error, pointer }) => ({ error, pointer }))).toEqual(found);
  });

  it("knows no limit on all blocks together for a response_url", () => {
    const blocks = times(5, () => section("x".repeat(3_000)));
    expect(validateMessage({ text: "a", blocks }, { via: "response_url" })).toEqual([]);
  });
});

describe("validateView", () => {
  const input = {
    type: "input",
    block_id: "reason",
    label: plain("Reason"),
    element: { type: "plain_text_input", action_id: "reason" },
  };
  const modal = {
    type: "modal",
    title: plain("Waive"),
    submit: plain("Waive"),
    close: plain("Cancel"),
    callback_id: "waive",
    private_metadata: "id-1",
    blocks: [{ type: "alert", level: "warning", text: plain("a") }, input],
  };

  it("takes a modal and a home page as Slack documents them", () => {
    const home = { type: "home", blocks: [section("a"), dataTable([raw("a")], [raw("b")])] };
    expect([...validateView(modal), ...validateView(home)]).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      "25 characters of title",
      { ...modal, title: plain("x".repeat(25)) },
      "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]",
    ],
    [
      "a modal without a title",
      { ...modal, title: undefined },
      "[ERROR] missing required field: title [json-pointer:/view]",
    ],
    [
      "an input and no submit button",
      { ...modal, submit: undefined },
      "[ERROR] missing required field: submit [json-pointer:/view]",
    ],
    [
      "101 blocks",
      { ...modal, blocks: times(101, () => ({ type: "divider" })) },
      "[ERROR] no more than 100 items allowed [json-pointer:/view/blocks]",
    ],
    [
      "3,001 characters of private_metadata",
      { ...modal, private_metadata: "x".repeat(3_001) },
      "[ERROR] must be less than 3001 characters [json-pointer:/view/private_metadata]",
    ],
    [
      "a table in a modal",
      { ...modal, blocks: [table([raw("a")])] },
      "[ERROR] unsupported type: table [json-pointer:/view/blocks/0/type]",
    ],
    [
      "an alert on the home page",
      { type: "home", blocks: [modal.blocks[0]] },
      "[ERROR] unsupported type: alert [json-pointer:/view/blocks/0/type]",
    ],
    [
      "a title on the home page",
      { type: "home", title: plain("a"), blocks: [] },
      "[ERROR] invalid additional property: title [json-pointer:/view]",
    ],
    [
      "a day that is none",
      {
        ...modal,
        blocks: [{ ...input, element: { type: "datepicker", action_id: "d", initial_date: "soon" } }],
      },
      "[ERROR] must match YYYY-MM-DD [json-pointer:/view/blocks/0/element/initial_date]",
    ],
    [
      "3,001 characters to type",
      { ...modal, blocks: [{ ...input, element: { ...input.element, max_length: 3_001 } }] },
      "[ERROR] must be less than 3001 [json-pointer:/view/blocks/0/element/max_length]",
    ],
    [
      "two inputs that take the focus",
      {
        ...modal,
        blocks: ["a", "b"].map((block_id) => ({
          ...input,
          block_id,
          element: { ...input.element, focus_on_load: true },
        })),
      },
      "[ERROR] only one element can have focus_on_load [json-pointer:/view/blocks/1/element/focus_on_load]",
    ],
    [
      "more than 250 KB",
      { ...modal, blocks: times(90, () => section("€".repeat(3_000))) },
      "[ERROR] view_too_large [json-pointer:/view]",
    ],
    ["no view at all", undefined, "[ERROR] must be object [json-pointer:/view]"],
  ])("refuses %s", (_, view, text) => {
    expect(validateView(view).map(problemText)).toEqual([text]);
  });
});
