import process from "node:process";
import { readConfig } from "#src/config.ts";
import { once } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { type DigestOutcome, sendDueDigests } from "#src/slack/digest/send.ts";
import { openSlackServices, SERVICES_KEPT_MS } from "#src/slack/open-services.ts";

const { telemetry, invocation } = powertools("digest");

const opened = once(async () => {
  const config = readConfig(process.env, ["region", "table", "slackSettings", "slackApiUrl"]);
  const queue = {
    send: () => Promise.reject(new Error("a digest queues nothing")),
  };
  return openSlackServices(config, { env: process.env, telemetry, queue, audit: null });
}, SERVICES_KEPT_MS);

/** Every hour: the digests that are due by the clocks of those who get them, once a week each. */
export function handler(_event: unknown, context: LambdaContext): Promise<DigestOutcome[]> {
  return invocation(context, async () => {
    const outcomes = await sendDueDigests(await opened());
    const sent = outcomes.filter(({ outcome }) => outcome.startsWith("sent"));
    const failed = outcomes.filter(({ outcome }) => ["failed", "maybe-sent", "waiting"].includes(outcome));
    telemetry.count("DigestsSent", sent.length);
    telemetry.count("DigestsFailed", failed.length);
    return outcomes;
  });
}
