import process from "node:process";
import { environmentCredentials } from "#src/aws/environment-credentials.ts";
import { textOf } from "#src/aws/named-text.ts";
import { readConfig } from "#src/config.ts";
import { once, openQueues } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { createLambdaApp } from "#src/slack/app.ts";
import { createIngress } from "#src/slack/ingress/handler.ts";
import type { LambdaEvent, LambdaResponse } from "#src/slack/ingress/lambda-event.ts";
import { storedReplays } from "#src/slack/ingress/replays.ts";
import { openSlackServices, SERVICES_KEPT_MS } from "#src/slack/open-services.ts";

const { telemetry, invocation } = powertools("slack");

const opened = once(async () => {
  const config = readConfig(process.env, [
    "region",
    "table",
    "slackQueueUrl",
    "slackSettings",
    "slackSigningSecret",
    "slackPreviousSigningSecret",
    "slackApiUrl",
  ]);
  const { env } = process;
  const through = { region: config.region, credentials: environmentCredentials(env) };
  const named = [config.slackSigningSecret, config.slackPreviousSigningSecret].filter((one) => one !== null);
  const toWorker = openQueues(config, env).to(config.slackQueueUrl);
  const queue = { send: (work: unknown) => toWorker.send([work]) };
  const [secrets, services] = await Promise.all([
    Promise.all(named.map((one) => textOf(one, through))),
    openSlackServices(config, { env, telemetry, queue, audit: null }),
  ]);
  const { settings, store, now, log } = services;
  const bolt = createLambdaApp({ services, slackApiUrl: config.slackApiUrl ?? undefined });
  return createIngress({ settings, secrets, replays: storedReplays(store), store, now, log, bolt });
}, SERVICES_KEPT_MS);

/** Slack's requests: verified, answered in time, or queued for the worker. */
export function handler(event: LambdaEvent, context: LambdaContext): Promise<LambdaResponse> {
  return invocation(context, async () => (await opened())(event));
}
