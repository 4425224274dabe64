import process from "node:process";
import { readConfig } from "#src/config.ts";
import type { BatchResponse } from "#src/fleet-run/batch.ts";
import { once, openFleetAccess, openFleetStore, openQueues } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { enumerateBatch } from "#src/fleet-run/workers.ts";

const { telemetry, invocation } = powertools("enumerate");

const opened = once(async () => {
  const config = readConfig(process.env, [
    "region",
    "table",
    "clustersQueueUrl",
    "deadLetterQueueUrl",
    "regions",
    "memberRole",
    "externalId",
  ]);
  const queues = openQueues(config, process.env);
  return {
    deadLetters: queues.deadLetters(config.deadLetterQueueUrl),
    access: await openFleetAccess(config, process.env),
    store: openFleetStore(config, process.env),
    clustersQueue: queues.to(config.clustersQueueUrl),
    regions: config.regions,
    telemetry,
    now: () => new Date(),
  };
});

/** Account messages: one message for each cluster in each Region. */
export function handler(event: unknown, context: LambdaContext): Promise<BatchResponse> {
  return invocation(context, async () => {
    const { deadLetters, ...options } = await opened();
    const remainingMs = () => context.getRemainingTimeInMillis();
    return enumerateBatch(event, { deadLetters, remainingMs }, options);
  });
}
