import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemText } from "#src/console/slack-api/problems.ts";
import { validateMessage, validateView } from "#src/console/slack-api/validate.ts";
import { type Block, textLength } from "#src/slack/blocks/block.ts";
import { actionOf, actions, button, confirm, overflow, select } from "#src/slack/blocks/elements.ts";
import { fallbacks } from "#src/slack/blocks/fallback.ts";
import { message, type SlackMessage } from "#src/slack/blocks/message.ts";
import { link, md } from "#src/slack/blocks/mrkdwn.ts";
import { list, paragraph, preformatted } from "#src/slack/blocks/rich-text.ts";
import { context, divider, fields, header, section } from "#src/slack/blocks/section.ts";
import { dataTable, table } from "#src/slack/blocks/table.ts";
import { dateInput, home, modal, selectInput, textInput } from "#src/slack/blocks/view.ts";
import { EVIL, hostileText } from "./hostile.ts";

/** What Slack would refuse in the message, its thread, and every way to say it again. */
function refusals(content: SlackMessage): string[] {
  return fallbacks(content).flatMap(({ text, blocks, thread }) =>
    [blocks, ...thread].flatMap((part) => validateMessage({ text, blocks: part }).map(problemText)),
  );
}

const choice = fc.record({ text: hostileText, value: fc.uuid(), description: hostileText });
const choices = fc.array(choice, { minLength: 1, maxLength: 130 }).map(([first, ...rest]) => {
  if (first === undefined) throw new Error("fast-check made no choice");
  return [first, ...rest] as const;
});
const cell = fc.oneof(hostileText, fc.double(), fc.integer());
const columns = fc
  .array(fc.record({ title: hostileText }), { minLength: 1, maxLength: 25 })
  .map(([first, ...rest]) => [first ?? { title: "" }, ...rest] as const);
const tableContent = fc.record({
  columns,
  rows: fc.array(fc.array(cell, { maxLength: 25 }), { maxLength: 130 }),
  what: hostileText,
  where: hostileText,
  caption: hostileText,
  pageSize: fc.integer(),
});
const anyButton = fc.record({ text: hostileText, url: hostileText }).map(({ text, url }) =>
  button({
    action: "waive",
    text,
    url,
    value: "id-1",
    style: "danger",
    confirm: confirm({ title: text, text, yes: text, no: text }),
  }),
);
const anyMenu = fc
  .record({ choices, placeholder: hostileText })
  .map((options) => overflow({ action: "pick", ...options }));
const control = fc.oneof(anyButton, anyMenu);
const line = fc.oneof(
  hostileText,
  fc.array(
    fc.oneof(
      hostileText,
      hostileText.map((text) => ({ text, bold: true as const })),
      fc.record({ link: hostileText, text: hostileText }),
    ),
    { maxLength: 5 },
  ),
);
const blocks: fc.Arbitrary<Block | Block[]> = fc.oneof(
  hostileText.map(header),
  hostileText.map((text) => section(md`*${text}* ${link(text, text)}`)),
  fc.tuple(hostileText, control).map(([text, accessory]) => section(text, accessory)),
  fc.array(fc.record({ label: hostileText, value: hostileText }), { maxLength: 25 }).map(fields),
  fc.array(hostileText, { maxLength: 15 }).map((texts) => context(...texts)),
  fc.constant(divider()),
  fc.array(control, { maxLength: 60 }).map(actions),
  tableContent.map((content): Block[] => table(content)),
  tableContent.map((content): Block[] => dataTable(content)),
  fc.tuple(fc.array(line, { maxLength: 130 }), hostileText).map(([items, where]) => list(items, { where })),
  fc.array(line, { maxLength: 60 }).map((lines) => paragraph(...lines)),
  hostileText.map((text) => preformatted(text)),
);

describe("what the builders make", () => {
  it("is taken by Slack, however hostile and long the content", () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.array(blocks, { maxLength: 12 }),
        fc.constantFrom("thread", "cut"),
        hostileText,
        (text, content, overflow, where) => {
          const made = message({ text, blocks: content, overflow, where });
          expect(refusals(made)).toEqual([]);
          expect(Math.max(0, ...[made.blocks, ...made.thread].map(textLength))).toBeLessThanOrEqual(9_000);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("is taken by Slack as a modal and as a home page", () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.array(blocks, { maxLength: 40 }),
        choices,
        hostileText,
        (text, content, options, where) => {
          const inputs = [
            textInput({
              name: "reason",
              label: text,
              hint: text,
              initial: text,
              placeholder: text,
              multiline: true,
            }),
            selectInput({ name: "check", label: text, placeholder: text, choices: options }),
            dateInput({ name: "expiry", label: text, initial: text }),
          ];
          const view = modal({
            title: text,
            submit: text,
            close: text,
            callback: "waive",
            metadata: "id-1",
            blocks: [...content, inputs],
            where,
          });
          const found = [...validateView(view), ...validateView(home({ blocks: content, where }))];
          expect(found.map(problemText)).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe("a name that looks like markup", () => {
  it("is shown literally in every block, and in the notification", () => {
    const made = message({
      text: EVIL,
      blocks: [
        header(EVIL),
        section(md`*${EVIL}*`),
        fields([{ label: EVIL, value: EVIL }]),
        context(EVIL),
        table({ columns: [{ title: EVIL }], rows: [[EVIL]], what: "clusters" }),
        list([EVIL]),
        actions([button({ action: "open", text: EVIL })]),
      ],
    });
    const literal = "&lt;!channel&gt; ∗x∗ &amp; &lt;http://evil|click&gt;";
    const mrkdwn = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
    const plain = { type: "plain_text", text: EVIL, emoji: false };
    const raw = { type: "raw_text", text: EVIL };
    expect(made).toEqual({
      text: literal,
      thread: [],
      blocks: [
        { type: "header", text: plain },
        { type: "section", text: mrkdwn(`*${literal}*`) },
        { type: "section", fields: [mrkdwn(`*${literal}*\n${literal}`)] },
        { type: "context", elements: [mrkdwn(literal)] },
        { type: "table", rows: [[raw], [raw]], column_settings: [{ align: "left", is_wrapped: true }] },
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_list",
              style: "bullet",
              elements: [{ type: "rich_text_section", elements: [{ type: "text", text: EVIL }] }],
            },
          ],
        },
        { type: "actions", elements: [{ type: "button", action_id: "open", text: plain }] },
      ],
    });
  });
});

describe("content that does not fit", () => {
  const clusters = Array.from({ length: 300 }, (_, index) => [`cluster-${index}`, "ipvs", index]);

  it("is counted below a table, with where to see it", () => {
    const [grid, ...notes] = table({
      columns: [{ title: "Cluster" }, { title: "Mode" }, { title: "Nodes", align: "right" }],
      rows: clusters,
      what: "clusters",
      where: "proxy-audit fleet",
    });
    expect([grid.rows.length, notes]).toEqual([
      100,
      [
        {
          type: "context",
          elements: [{ type: "mrkdwn", text: "… and 201 more clusters: proxy-audit fleet", verbatim: true }],
        },
      ],
    ]);
  });

  it("is counted at the end of a list", () => {
    const made = list(
      clusters.map(([name]) => String(name)),
      { what: "clusters" },
    );
    expect(made.elements.at(-1)).toEqual({
      type: "rich_text_section",
      elements: [{ type: "text", text: "… and 200 more clusters" }],
    });
  });

  it("goes on in the thread, and what even that does not hold is counted", () => {
    const made = message({
      text: "fleet",
      blocks: Array.from({ length: 400 }, (_, index) => section(`part ${index}`)),
      where: "proxy-audit fleet",
    });
    expect({
      first: made.blocks.length,
      goesOn: made.blocks.at(-1),
      thread: made.thread.map((part) => part.length),
      end: made.thread.at(-1)?.at(-1),
    }).toEqual({
      first: 50,
      goesOn: context("Continued in the thread: 5 more messages"),
      thread: [49, 49, 49, 49, 50],
      end: context("… and 106 more parts of this answer: proxy-audit fleet"),
    });
  });

  it("is cut where there is no thread, saying how much is missing", () => {
    const made = message({
      text: "fleet",
      blocks: Array.from({ length: 60 }, (_, index) => section(`part ${index}`)),
      overflow: "cut",
    });
    expect([made.blocks.length, made.blocks.at(-1), made.thread]).toEqual([
      50,
      context("… and 11 more parts of this answer"),
      [],
    ]);
  });

  it("keeps together what belongs together", () => {
    const rows = Array.from({ length: 48 }, (_, index) => section(`part ${index}`));
    const asked = [section("Waive it?"), ...actions([button({ action: "waive", text: "Waive" })])];
    const made = message({ text: "fleet", blocks: [...rows, asked] });
    expect([made.blocks.length, made.thread]).toEqual([49, [asked]]);
  });

  it("splits tables over messages, one each", () => {
    const one = table({ columns: [{ title: "A" }], rows: [["1"]], what: "rows" });
    const made = message({ text: "two tables", blocks: [one, one] });
    expect([
      made.blocks.map(({ type }) => type),
      made.thread.map((part) => part.map(({ type }) => type)),
    ]).toEqual([["table", "context"], [["table"]]]);
  });

  it("is said in a menu's placeholder", () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ text: `c${index}`, value: `v${index}` }));
    const [first = { text: "", value: "v" }, ...rest] = many;
    const menu = select({ action: "pick", placeholder: "Choose a cluster", choices: [first, ...rest] });
    expect([menu.options?.length, menu.placeholder?.text]).toEqual([
      100,
      "Choose a cluster (first 100 of 120)",
    ]);
  });
});

describe("controls", () => {
  it("of one action in a row are told apart for Slack, and one for us", () => {
    const [row] = actions([button({ action: "waive", text: "A" }), button({ action: "waive", text: "B" })]);
    const ids = row?.elements.map(({ action_id }) => action_id ?? "");
    expect([ids, ids?.map(actionOf)]).toEqual([
      ["waive", "waive#2"],
      ["waive", "waive"],
    ]);
  });

  it("refuse an identifier that Slack would refuse: a shortened one would act on something else", () => {
    expect(() => button({ action: "x".repeat(256), text: "A" })).toThrow(RangeError);
  });
});

describe("fallbacks", () => {
  it("say a data table as a table, then as text in columns", () => {
    const made = message({
      text: "fleet",
      blocks: [
        dataTable({
          caption: "Fleet",
          columns: [{ title: "Cluster" }, { title: "Nodes" }],
          rows: [
            ["東京", 3],
            ["payments-prod", 12_000],
          ],
          what: "clusters",
        }),
      ],
    });
    expect(fallbacks(made).map(({ blocks: [block] }) => block)).toEqual([
      made.blocks[0],
      { type: "table", rows: made.blocks[0]?.type === "data_table" ? made.blocks[0].rows : [] },
      preformatted("Cluster        Nodes\n-------------  ------\n東京           3\npayments-prod  12,000"),
    ]);
  });

  it("drop the columns, and then count lines, where a message that was full has no room for their spaces", () => {
    const rows = Array.from({ length: 60 }, (_, index) => [
      index === 0 ? "x".repeat(300) : "x",
      String(index),
    ]);
    const made = message({
      text: "fleet",
      blocks: [table({ columns: [{ title: "A" }, { title: "B" }], rows, what: "rows" })],
    });
    const said = fallbacks(made).at(-1)?.blocks[0];
    const lines = rows.map((row) => row.join(" · "));
    expect(said).toEqual(preformatted(["A · B", ...lines].join("\n")));
  });

  it("are none for a message without tables", () => {
    expect(fallbacks(message({ text: "a", blocks: [header("a")] }))).toHaveLength(1);
  });
});
