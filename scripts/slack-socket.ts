/**
 * Runs the Slack app on this machine over Socket Mode, against a real workspace, with no public address:
 * `SLACK_APP_TOKEN=xapp-... node scripts/slack-socket.ts --settings settings.json [--store FILE]`. It answers from
 * the store's audits; `proxy-audit scan` fills that.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { SocketModeReceiver } from "@slack/bolt";
import { createSlackApp } from "#src/slack/app.ts";
import { createSlackServices, type SlackServices } from "#src/slack/services.ts";
import { slackSettingsSchema } from "#src/slack/settings.ts";
import { doWork } from "#src/slack/worker.ts";
import { openStore } from "#src/store/open.ts";

const { values } = parseArgs({ options: { settings: { type: "string" }, store: { type: "string" } } });
const appToken = process.env.SLACK_APP_TOKEN;
if (values.settings === undefined || appToken === undefined) {
  console.error(
    "Give --settings FILE (see src/slack/settings.ts), and SLACK_APP_TOKEN=xapp-... in the environment.",
  );
  process.exit(1);
}

const settings = slackSettingsSchema.parse(JSON.parse(await readFile(values.settings, "utf8")));
const store = await openStore({
  ...(values.store === undefined ? {} : { path: values.store }),
  env: process.env,
});
if (store === null) {
  console.error("--store none keeps nothing to answer from.");
  process.exit(1);
}
const now = () => new Date();
const log: SlackServices["log"] = ({ code, detail = "", reference = "" }) =>
  console.error(["slack:", code, detail, reference].join(" ").trim());
const services: SlackServices = createSlackServices({
  settings,
  store,
  queue: {
    async send(work) {
      setImmediate(() => {
        doWork(services, work).catch((error: unknown) => log({ code: "work-failed", detail: String(error) }));
      });
    },
  },
  audit: null,
  now,
  log,
});
const app = createSlackApp(new SocketModeReceiver({ appToken }), { services });
await app.start();
console.error("Connected. Type /proxy-audit help in Slack; Ctrl-C ends it.");
