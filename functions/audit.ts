import process from "node:process";
import { readConfig } from "#src/config.ts";
import type { BatchResponse } from "#src/fleet-run/batch.ts";
import { once, openFleetAccess, openFleetStore, openQueues, openResolving } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { auditBatch } from "#src/fleet-run/workers.ts";

const { telemetry, invocation } = powertools("audit");

const opened = once(async () => {
  const config = readConfig(process.env, [
    "region",
    "table",
    "deadLetterQueueUrl",
    "memberRole",
    "externalId",
    "kubernetesIdentity",
    "privateEndpoints",
    "extraEndpointHosts",
    "teamTags",
    "environmentTags",
    "owners",
    "maxAuditAgeHours",
  ]);
  return {
    deadLetters: openQueues(config, process.env).deadLetters(config.deadLetterQueueUrl),
    access: await openFleetAccess(config, process.env),
    store: openFleetStore(config, process.env),
    resolve: await openResolving(config, process.env),
    maxAuditAgeHours: config.maxAuditAgeHours,
    telemetry,
    now: () => new Date(),
  };
});

/** Cluster messages: audit each, store the audit. */
export function handler(event: unknown, context: LambdaContext): Promise<BatchResponse> {
  return invocation(context, async () => {
    const { deadLetters, ...options } = await opened();
    const remainingMs = () => context.getRemainingTimeInMillis();
    return auditBatch(event, { deadLetters, remainingMs }, options);
  });
}
