/**
 * Prints the Slack app's manifest: `node scripts/slack-manifest.ts --url https://... [--usergroups]`, or with
 * `--socket-mode` for a machine without a public address.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { slackManifest } from "../infra/slack/manifest.ts";

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    "socket-mode": { type: "boolean", default: false },
    usergroups: { type: "boolean", default: false },
  },
});
const requestUrl = values["socket-mode"] ? null : values.url;
if (requestUrl === undefined || (requestUrl !== null && !requestUrl.startsWith("https://"))) {
  console.error("Give --url https://... (where the Slack function answers), or --socket-mode.");
  process.exitCode = 1;
} else {
  console.log(JSON.stringify(slackManifest({ requestUrl, usergroups: values.usergroups }), null, 2));
}
