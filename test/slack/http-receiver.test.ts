import type { AddressInfo } from "node:net";
import { HTTPReceiver } from "@slack/bolt";
import { expect, it, onTestFinished } from "vitest";
import { commandForm } from "#src/console/slack-api/interactions.ts";
import { signedRequest } from "#src/console/slack-api/signed-request.ts";
import { createSlackApp } from "#src/slack/app.ts";
import { SILENT } from "#src/slack/clients.ts";
import { slackUnderTest } from "./demo.ts";

it("the same app answers over Bolt's HTTP receiver", async () => {
  const { slack, services } = await slackUnderTest([]);
  const receiver = new HTTPReceiver({ signingSecret: "local", endpoints: "/slack", logger: SILENT });
  const app = createSlackApp(receiver, { services, slackApiUrl: slack.apiUrl });
  const server = await receiver.start({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.stop();
  });
  const { port } = server.address() as AddressInfo;
  const form = commandForm(slack, {
    token: "xoxb-local-one",
    userId: "U0ANN",
    channel: "C0PAY",
    command: "/proxy-audit",
    text: "help",
  });
  const { body, headers } = signedRequest(form, "local", Math.floor(Date.now() / 1000));
  const answer = await fetch(`http://127.0.0.1:${port}/slack`, { method: "POST", headers, body });
  expect([answer.status, JSON.parse(await answer.text()).text]).toEqual([200, "What /proxy-audit can do"]);
});
