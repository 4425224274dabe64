import process from "node:process";
import { readConfig } from "#src/config.ts";
import type { BatchResponse } from "#src/fleet-run/batch.ts";
import { once, openFleetAccess, openFleetStore, openOwnership, openQueues } from "#src/fleet-run/open.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";
import { auditBatch, published } from "#src/fleet-run/workers.ts";

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
  const { kubernetesIdentity, privateEndpoints, extraEndpointHosts: extraHosts, maxAuditAgeHours } = config;
  const ownership = await openOwnership(config, process.env);
  return {
    deadLetters: openQueues(config, process.env).deadLetters(config.deadLetterQueueUrl),
    access: await openFleetAccess(config, process.env),
    store: openFleetStore(config, process.env),
    resolve: { ownership, published, privateEndpoints, extraHosts, kubernetesIdentity },
    maxAuditAgeHours,
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
