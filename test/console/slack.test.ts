import { describe, expect, it } from "vitest";
import type { SlackJson } from "#src/console/server/slack-desk.ts";
import { audit, finding } from "../model/audits.ts";
import { type Answered, ask, json, NOW, testConsole, withToken } from "./workbench.ts";

const AT = NOW.toISOString();
const ANN = { userId: "U0ANN", channel: "C0PAY" };
const RAVI = { userId: "U0RAV", channel: "C0PAY" };

async function consoleWithWeb() {
  return testConsole({
    audits: [
      audit({
        id: "demo:web",
        name: "web",
        team: "payments",
        auditedAt: AT,
        findings: [finding("proxy-mode", "warning")],
      }),
    ],
  });
}

async function workspaceOf(console: Awaited<ReturnType<typeof testConsole>>): Promise<SlackJson> {
  return (await json(console, "/api/slack")).json as unknown as SlackJson;
}

describe("the Slack side", () => {
  it("knows its people by what they may do, and the words that can be typed", async () => {
    const slack = await workspaceOf(await consoleWithWeb());
    expect([
      slack.people.map(({ name, roles, teams }) => [name, ...roles, ...teams]),
      slack.clusters,
      slack.teams,
      slack.commands.map(({ name }) => name).includes("blockers"),
      slack.checks.includes("proxy-mode"),
    ]).toEqual([
      [
        ["Ann", "member", "payments"],
        ["Mia", "member", "data"],
        ["Ravi", "approver", "platform"],
        ["Eve", "approver", "platform"],
      ],
      ["web"],
      ["payments"],
      true,
      true,
    ]);
  });

  it("gives a command to the real app, and shows its answer to who asked", async () => {
    const console = await consoleWithWeb();
    const { json: answered } = await json(console, "/api/slack/say", { ...ANN, text: "fleet" });
    const slack = await workspaceOf(console);
    expect([
      answered,
      slack.said.map(({ text, userId }) => [text, userId]),
      slack.messages.map(({ onlyFor, channel }) => [onlyFor, channel]),
    ]).toEqual([
      { said: { ...ANN, ts: expect.any(String), text: "fleet", ms: expect.any(Number), problem: null } },
      [["fleet", "U0ANN"]],
      [["U0ANN", "C0PAY"]],
    ]);
  });

  it("carries an approval through: asked by one, refused to them, decided by another", async () => {
    const console = await consoleWithWeb();
    await json(console, "/api/slack/say", { ...ANN, text: "approve web 1.40" });
    const request = (await workspaceOf(console)).messages.find(({ onlyFor }) => onlyFor === null);
    const press = (userId: string, verb: string) => {
      const actions = (request?.blocks ?? []) as {
        type: string;
        block_id: string;
        elements?: { action_id: string; value: string; text: { text: string } }[];
      }[];
      const block = actions.find(({ type }) => type === "actions");
      const button = block?.elements?.find(({ text }) => text.text === verb);
      const action = {
        type: "button",
        action_id: button?.action_id,
        value: button?.value,
        block_id: block?.block_id,
      };
      return json(console, "/api/slack/press", {
        ...RAVI,
        userId,
        at: { channel: "C0PAY", ts: request?.ts },
        action,
      });
    };
    expect((await press("U0ANN", "Approve")).json).toEqual({ problem: null });
    expect(await console.fleet.store.approvals()).toEqual([]);
    expect((await press("U0RAV", "Approve")).json).toEqual({ problem: null });
    expect(await console.fleet.store.approvals()).toMatchObject([
      { clusterId: "demo:web", target: "1.40", requestedBy: "U0ANN", approvedBy: "U0RAV" },
    ]);
    const { json: cluster } = await json(console, "/api/clusters/demo%3Aweb");
    expect(cluster.approvals).toMatchObject([{ state: "valid" }]);
  });

  it("opens the waiver's dialog for who may waive, tells what is missing in it, and stores what is not", async () => {
    const console = await consoleWithWeb();
    await json(console, "/api/slack/say", { ...RAVI, text: "waive web proxy-mode" });
    expect((await workspaceOf(console)).modals.U0RAV).toHaveLength(1);
    const submit = (reason: string | null) =>
      json(console, "/api/slack/submit", {
        userId: "U0RAV",
        values: {
          reason: { type: "plain_text_input", value: reason },
          ticket: { type: "plain_text_input", value: null },
          expires: { type: "datepicker", selected_date: "2026-12-10" },
        },
      });
    const refused = await submit(null);
    const done = await submit("until the rack is replaced");
    expect([refused.json, done.json, await console.fleet.store.waivers()]).toMatchObject([
      { errors: { reason: expect.stringContaining("needs a reason") } },
      { errors: {} },
      [{ clusterId: "demo:web", check: "proxy-mode", owner: "U0RAV", reason: "until the rack is replaced" }],
    ]);
    await json(console, "/api/slack/close", { userId: "U0RAV" });
    expect((await workspaceOf(console)).modals.U0RAV).toEqual([]);
  });

  it("publishes a person's page when they open it", async () => {
    const console = await consoleWithWeb();
    const { json: opened } = await json(console, "/api/slack/home", { userId: "U0ANN" });
    expect([opened, (await workspaceOf(console)).homes.U0ANN?.view.type]).toEqual([
      { problem: null },
      "home",
    ]);
  });

  it("previews a week's digest and counts nothing for it", async () => {
    const console = await consoleWithWeb();
    for (const week of ["", "&week=2026-11-02"]) {
      const { json: digest } = await json(console, `/api/slack/digest?team=payments${week}`);
      expect(JSON.stringify(digest)).toContain("payments");
    }
    const bad = await json(console, "/api/slack/digest?team=payments&week=soon");
    expect([bad.status, await console.fleet.store.rollups({ from: "2026-01-01", to: "2026-12-31" })]).toEqual(
      [400, []],
    );
  });

  it("says what Slack would refuse in a message or a view", async () => {
    const console = await consoleWithWeb();
    const problems = async (body: object) => (await json(console, "/api/slack/validate", body)).json;
    expect([
      await problems({ message: { text: "fine", blocks: [{ type: "divider" }] } }),
      await problems({
        message: { text: "x", blocks: [{ type: "header", text: { type: "mrkdwn", text: "x" } }] },
      }),
      await problems({ view: { type: "home", blocks: [{ type: "alert" }] } }),
    ]).toMatchObject([
      { problems: [] },
      { problems: [expect.stringContaining("json-pointer:/blocks/0/text")] },
      { problems: [expect.stringContaining("[ERROR]")] },
    ]);
  });

  it("tells what happens as it happens, until the page goes away", async () => {
    const console = await consoleWithWeb();
    await workspaceOf(console);
    const abort = new AbortController();
    const response = await fetch(`${console.origin}/api/slack/events`, {
      headers: withToken(console),
      signal: abort.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await json(console, "/api/slack/say", { ...ANN, text: "help" });
    let text = "";
    while (!text.includes('"said"')) text += (await reader?.read())?.value ?? "";
    abort.abort();
    expect(text).toContain('"message-posted"');
    const state: Answered = await ask(console, "/api/state", { headers: withToken(console) });
    expect(state.status).toBe(200);
  });
});
