import process from "node:process";
import { readConfig } from "#src/config.ts";
import type { BatchResponse } from "#src/fleet-run/batch.ts";
import { once, openQueues } from "#src/fleet-run/open.ts";
import { openAuditNow } from "#src/fleet-run/open-audit-now.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { openSlackServices, SERVICES_KEPT_MS } from "#src/slack/open-services.ts";
import { workBatch } from "#src/slack/work-batch.ts";

const { telemetry, invocation } = powertools("slack-worker");

const opened = once(async () => {
  const { env } = process;
  const config = readConfig(env, [
    "region",
    "table",
    "deadLetterQueueUrl",
    "slackQueueUrl",
    "slackSettings",
    "slackApiUrl",
    "memberRole",
    "externalId",
    "kubernetesIdentity",
    "privateEndpoints",
    "extraEndpointHosts",
    "teamTags",
    "environmentTags",
    "owners",
  ]);
  const queues = openQueues(config, env);
  const queue = { send: (work: unknown) => queues.to(config.slackQueueUrl).send([work]) };
  const audit = await openAuditNow(config, env);
  const services = await openSlackServices(config, { env, telemetry, queue, audit });
  return { services, deadLetters: queues.deadLetters(config.deadLetterQueueUrl) };
}, SERVICES_KEPT_MS);

/** Slack work that takes longer than Slack waits: does it and answers where "queued" stands. */
export function handler(event: unknown, context: LambdaContext): Promise<BatchResponse> {
  return invocation(context, async () => {
    const { services, deadLetters } = await opened();
    const remainingMs = () => context.getRemainingTimeInMillis();
    return workBatch(event, { deadLetters, remainingMs, telemetry }, services);
  });
}
