import process from "node:process";
import { readConfig } from "#src/config.ts";
import { once, openFleetAccess, openFleetStore, openQueues } from "#src/fleet-run/open.ts";
import { planEventSchema, planRequestOf } from "#src/fleet-run/plan-request.ts";
import { planRun, type RunPlan } from "#src/fleet-run/plan-run.ts";
import { type LambdaContext, powertools } from "#src/fleet-run/powertools.ts";

const { telemetry, invocation } = powertools("discover");

const opened = once(async () => {
  const config = readConfig(process.env, [
    "region",
    "table",
    "accountsQueueUrl",
    "clustersQueueUrl",
    "accounts",
    "organizationalUnits",
    "excludedAccounts",
    "accountTags",
    "aggregator",
    "regions",
    "teamTags",
    "environmentTags",
    "memberRole",
    "externalId",
  ]);
  const queues = openQueues(config, process.env);
  return {
    access: await openFleetAccess(config, process.env),
    store: openFleetStore(config, process.env),
    accountsQueue: queues.to(config.accountsQueueUrl),
    clustersQueue: queues.to(config.clustersQueueUrl),
    request: planRequestOf(config),
    telemetry,
    now: () => new Date(),
  };
});

/** On schedule: one message for each account of the organization. */
export function handler(event: unknown, context: LambdaContext): Promise<RunPlan> {
  return invocation(context, async () => planRun(planEventSchema.parse(event ?? {}), await opened()));
}
