import { App, AwsLambdaReceiver, LogLevel, type RespondFn, verifySlackRequest } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import {
  blockActionsPayload,
  commandForm,
  viewSubmissionPayload,
} from "#src/console/slack-api/interactions.ts";
import type { FakeSlack } from "#src/console/slack-api/server.ts";
import { interactionForm, signedRequest } from "#src/console/slack-api/signed-request.ts";
import { actions, button } from "#src/slack/blocks/elements.ts";
import { message } from "#src/slack/blocks/message.ts";
import { header, section } from "#src/slack/blocks/section.ts";
import { modal, textInput } from "#src/slack/blocks/view.ts";
import { fakeWorkspace, TOKEN } from "./workspace.ts";

const SECRET = "a-signing-secret";
const ANN = { token: TOKEN, userId: "U0ANN", channel: "C0PAY" };

/** A Bolt app in front of the fake workspace, and a way to send it what Slack would. */
function boltApp(slack: FakeSlack) {
  const receiver = new AwsLambdaReceiver({ signingSecret: SECRET, logLevel: LogLevel.ERROR });
  const app = new App({
    receiver,
    authorize: async () => ({ botToken: TOKEN, botId: "B1", botUserId: "U0BOT" }),
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  const handler = receiver.toHandler();
  async function send(form: Record<string, string>) {
    const { body, headers } = signedRequest(form, SECRET, Math.floor(Date.now() / 1000));
    const answer = await handler(
      {
        version: "2.0",
        routeKey: "$default",
        rawPath: "/",
        rawQueryString: "",
        headers: { ...headers },
        requestContext: {} as never,
        body,
        isBase64Encoded: false,
      },
      {},
    );
    return { status: answer.statusCode, body: answer.body };
  }
  return { app, send };
}

describe("signedRequest", () => {
  it("signs as Slack does: Bolt's own verification takes it, and no other secret or body", () => {
    const now = Math.floor(Date.now() / 1000);
    const verify = (secret: string, change: string) => {
      const { body, headers } = signedRequest({ text: "Größe & <x>" }, SECRET, now);
      return () =>
        verifySlackRequest({
          signingSecret: secret,
          body: body + change,
          headers: {
            "x-slack-signature": headers["x-slack-signature"] ?? "",
            "x-slack-request-timestamp": now,
          },
        });
    };
    expect(verify(SECRET, "")).not.toThrow();
    expect(verify("other", "")).toThrow();
    expect(verify(SECRET, "x")).toThrow();
  });
});

describe("a Bolt app before the fake workspace", () => {
  it("acknowledges a command, and its response replaces what was said first", async () => {
    const slack = await fakeWorkspace();
    const { app, send } = boltApp(slack);
    app.command("/proxy-audit", async ({ ack, command, respond }) => {
      await ack(`Queued: ${command.text}`);
      await respond({ replace_original: true, ...message({ text: "Done", blocks: [header("Done")] }) });
    });
    const form = commandForm(slack, { ...ANN, command: "/proxy-audit", text: "scan payments" });
    const acknowledgement = { body: "" };
    const seen: string[] = [];
    slack.subscribe(({ type }) => seen.push(type));
    // The acknowledgement reaches Slack before the response does, except on Lambda, where both leave together.
    slack.acknowledged(form.response_url ?? "", "Queued: scan payments");
    Object.assign(acknowledgement, await send(form));
    expect([
      acknowledgement,
      seen,
      slack.workspace.messages.map(({ text, onlyFor, blocks }) => ({ text, onlyFor, blocks: blocks.length })),
    ]).toEqual([
      { status: 200, body: "Queued: scan payments" },
      ["message-posted", "message-changed"],
      [{ text: "Done", onlyFor: "U0ANN", blocks: 1 }],
    ]);
  });

  it("responds five times within thirty minutes, to one person or to all", async () => {
    let now = new Date();
    const slack = await fakeWorkspace({ now: () => now });
    const { app, send } = boltApp(slack);
    const failures: unknown[] = [];
    let respondNow: RespondFn | undefined;
    app.command("/proxy-audit", async ({ ack, respond }) => {
      await ack();
      respondNow = respond;
    });
    const attempt = async (content: Parameters<RespondFn>[0]) => {
      await respondNow?.(content).catch((error: { statusCode?: number }) => failures.push(error.statusCode));
    };
    await send(commandForm(slack, { ...ANN, command: "/proxy-audit", text: "" }));
    await attempt("ephemeral");
    await attempt({ text: "for all", response_type: "in_channel" });
    await attempt({ text: "", blocks: [{ type: "header" } as never] });
    await attempt({ delete_original: true } as never);
    await attempt("fourth");
    await attempt("fifth");
    await attempt("one too many");
    await send(commandForm(slack, { ...ANN, command: "/proxy-audit", text: "" }));
    now = new Date(now.getTime() + 31 * 60_000);
    await attempt("too late");
    expect([failures, slack.workspace.messages.map(({ text, onlyFor }) => [text, onlyFor])]).toEqual([
      [400, 404, 404],
      [
        ["for all", null],
        ["fourth", "U0ANN"],
        ["fifth", "U0ANN"],
      ],
    ]);
  });

  it("opens a modal from a button, and closes it by its submission", async () => {
    const slack = await fakeWorkspace();
    const { app, send } = boltApp(slack);
    app.action("waive", async ({ ack, body, client }) => {
      await ack();
      if (body.type !== "block_actions") return;
      const view = modal({
        title: "Waive",
        callback: "waive",
        blocks: [textInput({ name: "reason", label: "Reason" })],
      });
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    app.view("waive", async ({ ack, view, client }) => {
      await ack();
      await client.chat.postMessage({
        channel: "C0PAY",
        text: `Waived: ${view.state.values.reason?.reason?.value}`,
      });
    });
    await app.client.chat.postMessage({
      token: TOKEN,
      channel: "C0PAY",
      ...message({
        text: "a",
        blocks: [section("a"), actions([button({ action: "waive", text: "Waive", value: "id-1" })])],
      }),
    });
    const [posted] = slack.workspace.messages;
    if (posted === undefined) throw new Error("nothing was posted");
    const action = { type: "button", action_id: "waive", block_id: "b1", value: "id-1" };
    const pressed = await send(interactionForm(blockActionsPayload(slack, ANN, posted, action)));
    const [opened] = slack.workspace.modals.get("U0ANN") ?? [];
    if (opened === undefined) throw new Error("no modal was opened");
    const values = { reason: { reason: { type: "plain_text_input", value: "planned" } } };
    const submitted = await send(interactionForm(viewSubmissionPayload(slack, ANN, opened, values)));
    slack.submitted(ANN, submitted.body);
    expect([
      pressed.status,
      submitted.status,
      slack.workspace.modals.get("U0ANN"),
      slack.workspace.messages.at(-1)?.text,
    ]).toEqual([200, 200, [], "Waived: planned"]);
  });
});
