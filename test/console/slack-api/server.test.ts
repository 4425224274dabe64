import { describe, expect, it } from "vitest";
import type { FakeSlackEvent } from "#src/console/slack-api/workspace.ts";
import { fallbacks } from "#src/slack/blocks/fallback.ts";
import { message } from "#src/slack/blocks/message.ts";
import { md } from "#src/slack/blocks/mrkdwn.ts";
import { header, section } from "#src/slack/blocks/section.ts";
import { dataTable } from "#src/slack/blocks/table.ts";
import { home, modal, textInput } from "#src/slack/blocks/view.ts";
import { clientOf, fakeWorkspace, OTHER_TOKEN, refusalOf, TOKEN } from "./workspace.ts";

const START = new Date("2027-08-18T14:00:00Z");

describe("the fake workspace, spoken to by the real client", () => {
  it("keeps a posted message with its thread, as the builders made it", async () => {
    const slack = await fakeWorkspace({ now: () => START });
    const client = clientOf(slack);
    const { text, blocks } = message({ text: "Größe", blocks: [header("Fleet"), section(md`*3* on ipvs`)] });

    const posted = await client.chat.postMessage({ channel: "#team-payments", text, blocks });
    const ts = posted.ts ?? "";
    await client.chat.postMessage({ channel: "C0PAY", text: "details", thread_ts: ts });
    await client.chat.update({ channel: "C0PAY", ts, text: "changed" });

    const [first, second] = slack.workspace.messages;
    expect({ posted: [posted.channel, posted.message?.text], first, second: second?.threadTs }).toEqual({
      posted: ["C0PAY", "Größe"],
      first: {
        ts,
        channel: "C0PAY",
        user: "U0BOT",
        botId: "B1",
        appId: "A1",
        teamId: "T1",
        text: "changed",
        blocks: blocks.map((block) => ({ ...block, block_id: expect.any(String) })),
        threadTs: null,
        onlyFor: null,
        editedTs: `${START.getTime() / 1000}.000000`,
        metadata: null,
      },
      second: ts,
    });
    await client.chat.delete({ channel: "C0PAY", ts });
    expect(slack.workspace.messages.map((one) => one.text)).toEqual(["details"]);
  });

  it("takes JSON bodies and a token among the arguments as well", async () => {
    const slack = await fakeWorkspace();
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ channel: "C0PAY", text: "a", blocks: [{ type: "divider", block_id: "d" }] }),
    });
    const form = await fetch(`${slack.apiUrl}auth.test`, {
      method: "POST",
      body: new URLSearchParams({ token: TOKEN }),
    });
    expect([await response.json(), await form.json(), slack.workspace.messages[0]?.blocks]).toMatchObject([
      { ok: true, channel: "C0PAY" },
      { ok: true, team_id: "T1", user_id: "U0BOT", bot_id: "B1" },
      [{ type: "divider", block_id: "d" }],
    ]);
  });

  it("answers who and what is there, page by page", async () => {
    const client = clientOf(await fakeWorkspace());
    const names: (string | undefined)[] = [];
    let cursor = "";
    do {
      const page = await client.conversations.list({ limit: 1, exclude_archived: true, cursor });
      names.push(...(page.channels ?? []).map(({ name }) => name));
      cursor = page.response_metadata?.next_cursor ?? "";
    } while (cursor !== "");
    expect([
      names,
      (await client.auth.test()).team,
      (await client.conversations.info({ channel: "C0OLD" })).channel?.is_archived,
      (await client.users.info({ user: "U0ANN" })).user?.real_name,
      (await client.usergroups.users.list({ usergroup: "S0APP" })).users,
      (await client.conversations.open({ users: "U0ANN" })).channel?.id,
    ]).toEqual([["team-payments", "uninvited"], "Example", true, "Ann", ["U0ANN"], "D0ANN"]);
  });

  it("refuses what Slack refuses, in its words", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    const post = (channel: string, more: { thread_ts?: string; text?: string } = {}) =>
      refusalOf(client.chat.postMessage({ channel, text: "a", ...more }));
    expect({
      channel: await post("C0NONE"),
      otherTeam: await post("C0TWO"),
      archived: await post("C0OLD"),
      uninvited: await post("C0OUT"),
      thread: await post("C0PAY", { thread_ts: "1.000001" }),
      long: await post("C0PAY", { text: "x".repeat(40_001) }),
      blocks: await refusalOf(
        client.chat.postMessage({
          channel: "C0PAY",
          text: "a",
          blocks: [{ type: "header", text: { type: "plain_text", text: "x".repeat(151) } }],
        }),
      ),
      token: await refusalOf(clientOf(slack, "xoxb-none").auth.test()),
      method: await refusalOf(client.apiCall("chat.shout")),
      missing: await refusalOf(client.apiCall("chat.postMessage", { text: "a" })),
      update: await refusalOf(client.chat.update({ channel: "C0PAY", ts: "1.000001", text: "a" })),
      user: await refusalOf(client.users.info({ user: "U0NONE" })),
      posted: slack.workspace.messages,
    }).toEqual({
      channel: "channel_not_found",
      otherTeam: "channel_not_found",
      archived: "is_archived",
      uninvited: "not_in_channel",
      thread: "thread_not_found",
      long: "msg_too_long",
      blocks: {
        error: "invalid_blocks",
        messages: ["[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]"],
      },
      token: "invalid_auth",
      method: "unknown_method",
      missing: {
        error: "invalid_arguments",
        messages: ["[ERROR] missing required field: channel"],
      },
      update: "message_not_found",
      user: "user_not_found",
      posted: [],
    });
  });

  it("takes the next way to say a message where a workspace does not have a block yet", async () => {
    const slack = await fakeWorkspace({ missingBlocks: ["data_table"] });
    const fleet = dataTable({
      caption: "Fleet",
      columns: [{ title: "Cluster" }],
      rows: [["payments"]],
      what: "clusters",
    });
    const answers = [];
    for (const { text, blocks } of fallbacks(message({ text: "fleet", blocks: [fleet] }))) {
      answers.push(await refusalOf(clientOf(slack).chat.postMessage({ channel: "C0PAY", text, blocks })));
    }
    expect(answers).toMatchObject([
      {
        error: "invalid_blocks",
        messages: ["[ERROR] unsupported type: data_table [json-pointer:/blocks/0/type]"],
      },
      { answered: { message: { blocks: [{ type: "table" }] } } },
      { answered: { message: { blocks: [{ type: "rich_text" }] } } },
    ]);
  });

  it("keeps two workspaces apart by their tokens", async () => {
    const slack = await fakeWorkspace();
    await clientOf(slack, OTHER_TOKEN).chat.postMessage({ channel: "C0TWO", text: "a" });
    const own = slack.workspace.messages[0];
    expect([
      own?.teamId,
      await refusalOf(clientOf(slack).chat.update({ channel: "C0TWO", ts: own?.ts ?? "", text: "b" })),
    ]).toEqual(["T2", "channel_not_found"]);
  });

  it("shows an ephemeral message to one person, and never updates it", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    const { message_ts = "" } = await client.chat.postEphemeral({
      channel: "C0PAY",
      user: "U0ANN",
      text: "a",
    });
    expect([
      slack.workspace.messages.map(({ text, onlyFor }) => ({ text, onlyFor })),
      await refusalOf(client.chat.update({ channel: "C0PAY", ts: message_ts, text: "b" })),
      await refusalOf(client.chat.postEphemeral({ channel: "C0PAY", user: "U0NONE", text: "a" })),
    ]).toEqual([[{ text: "a", onlyFor: "U0ANN" }], "message_not_found", "user_not_in_channel"]);
  });
});

describe("rate limits and faults", () => {
  it("lets a burst pass in a channel and then about one message a second", async () => {
    let now = START;
    const slack = await fakeWorkspace({ limitPosts: true, now: () => now });
    const client = clientOf(slack);
    const post = () => refusalOf(client.chat.postMessage({ channel: "C0PAY", text: "a" }));
    const burst = [await post(), await post(), await post(), await post()];
    now = new Date(START.getTime() + 1_000);
    const later = [await post(), await post()];
    expect(
      [burst, later].map((answers) => answers.map((answer) => JSON.stringify(answer).slice(0, 16))),
    ).toEqual([
      ['{"answered":{"ok', '{"answered":{"ok', '{"answered":{"ok', '{"retryAfter":1}'],
      ['{"answered":{"ok', '{"retryAfter":1}'],
    ]);
  });

  it("answers 429, errors and silence on demand, as often as asked, with or without the effect", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    const post = (text: string) => client.chat.postMessage({ channel: "C0PAY", text });
    slack.setFaults([
      { method: "chat.postMessage", retryAfterSeconds: 30, times: 1 },
      { method: "chat.postMessage", error: "fatal_error", times: 1 },
      { method: "chat.postMessage", status: 503, afterEffect: true, times: 1 },
    ]);
    expect([
      await refusalOf(post("limited")),
      await refusalOf(post("failed")),
      await post("lost").catch((error: { statusCode?: number }) => error.statusCode),
      (await post("sent")).ok,
      slack.workspace.messages.map(({ text }) => text),
      slack.calls.map(({ answer }) => answer),
    ]).toEqual([
      { retryAfter: 30 },
      "fatal_error",
      503,
      true,
      ["lost", "sent"],
      ["HTTP 429", "fatal_error", "ok", "ok"],
    ]);
  });
});

describe("views", () => {
  const waive = modal({
    title: "Waive a finding",
    callback: "waive",
    metadata: "id-1",
    blocks: [textInput({ name: "reason", label: "Reason" })],
  });

  it("open once a trigger, within three seconds", async () => {
    let now = START;
    const slack = await fakeWorkspace({ now: () => now });
    const client = clientOf(slack);
    const trigger = slack.newTrigger("U0ANN");
    const late = slack.newTrigger("U0ANN");
    const opened = await client.views.open({ trigger_id: trigger, view: waive });
    const reused = await refusalOf(client.views.open({ trigger_id: trigger, view: waive }));
    now = new Date(START.getTime() + 3_001);
    expect({
      opened: [opened.view?.callback_id, opened.view?.private_metadata, opened.view?.root_view_id],
      reused,
      late: await refusalOf(client.views.open({ trigger_id: late, view: waive })),
      unknown: await refusalOf(client.views.open({ trigger_id: "1.2.3", view: waive })),
    }).toEqual({
      opened: ["waive", "id-1", opened.view?.id],
      reused: "exchanged_trigger_id",
      late: "expired_trigger_id",
      unknown: {
        error: "invalid_arguments",
        messages: ["[ERROR] invalid `trigger_id` [json-pointer:/trigger_id]"],
      },
    });
  });

  it("stack three high, and update only with the current hash", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    const push = () => client.views.push({ trigger_id: slack.newTrigger("U0ANN"), view: waive });
    const opened = await client.views.open({ trigger_id: slack.newTrigger("U0ANN"), view: waive });
    const { id: view_id = "", hash = "" } = opened.view ?? {};
    await push();
    const third = await push();
    const update = (hash: string) =>
      client.views.update({ view_id, hash, view: { ...waive, callback_id: "b" } });
    const updated = await update(hash);
    expect({
      roots: [third.view?.root_view_id, updated.view?.id, updated.view?.callback_id],
      fourth: await refusalOf(push()),
      stale: await refusalOf(update(hash)),
      gone: await refusalOf(client.views.update({ view_id: "V0", view: waive })),
    }).toEqual({
      roots: [view_id, view_id, "b"],
      fourth: "push_limit_reached",
      stale: "hash_conflict",
      gone: "not_found",
    });
  });

  it("publish a home page, and refuse a modal in its place", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    await client.views.publish({ user_id: "U0ANN", view: home({ blocks: [header("Fleet")] }) });
    expect([
      slack.workspace.homes.get("U0ANN")?.view.blocks,
      await refusalOf(client.views.publish({ user_id: "U0ANN", view: waive })),
    ]).toMatchObject([
      [{ type: "header", text: { text: "Fleet" } }],
      { error: "invalid_arguments", messages: ["[ERROR] must be one of: home [json-pointer:/view/type]"] },
    ]);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ["closes by an empty answer", "", {}, 0],
    [
      "stays open for errors",
      { response_action: "errors", errors: { reason: "Say why" } },
      { reason: "Say why" },
      1,
    ],
    ["takes an update", { response_action: "update", view: waive }, {}, 1],
    ["takes another view on top", { response_action: "push", view: waive }, {}, 2],
    ["clears all", { response_action: "clear" }, {}, 0],
    ["stays open for an answer that is none", { ok: true }, { "": "We had some trouble connecting" }, 1],
  ])("a submitted modal %s", async (_, body, errors, left) => {
    const slack = await fakeWorkspace();
    await clientOf(slack).views.open({ trigger_id: slack.newTrigger("U0ANN"), view: waive });
    expect([
      slack.submitted({ token: TOKEN, userId: "U0ANN" }, body),
      slack.workspace.modals.get("U0ANN")?.length,
    ]).toEqual([errors, left]);
  });
});

describe("events for whoever watches", () => {
  it("tell what was posted, changed, deleted, opened, closed and published, until unsubscribed", async () => {
    const slack = await fakeWorkspace();
    const client = clientOf(slack);
    const events: FakeSlackEvent["type"][] = [];
    const unsubscribe = slack.subscribe(({ type }) => events.push(type));
    const { ts = "" } = await client.chat.postMessage({ channel: "C0PAY", text: "a" });
    await client.chat.update({ channel: "C0PAY", ts, text: "b" });
    await client.chat.delete({ channel: "C0PAY", ts });
    await client.views.publish({ user_id: "U0ANN", view: home({ blocks: [] }) });
    await client.views.open({
      trigger_id: slack.newTrigger("U0ANN"),
      view: modal({ title: "a", callback: "a", blocks: [header("a")] }),
    });
    slack.closeModal("U0ANN");
    unsubscribe();
    await client.chat.postMessage({ channel: "C0PAY", text: "c" });
    expect(events).toEqual([
      "message-posted",
      "message-changed",
      "message-deleted",
      "home-published",
      "view-opened",
      "view-closed",
    ]);
  });
});
