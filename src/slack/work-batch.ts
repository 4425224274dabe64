import { type BatchOptions, type BatchResponse, handleBatch } from "#src/fleet-run/batch.ts";
import { CLUSTER_WORST_CASE_MS } from "#src/fleet-run/limits.ts";
import { slackWorkSchema } from "./queue.ts";
import type { SlackServices } from "./services.ts";
import { doWork } from "./worker.ts";

/** Works through a batch of Slack work. What cannot be answered is not recorded anywhere: whoever asked asks again. */
export function workBatch(
  event: unknown,
  batch: Pick<BatchOptions<never>, "deadLetters" | "remainingMs" | "telemetry">,
  services: SlackServices,
): Promise<BatchResponse> {
  return handleBatch(event, {
    ...batch,
    schema: slackWorkSchema,
    handle: (work) => doWork(services, work),
    giveUp: async () => {},
    worstCaseMs: CLUSTER_WORST_CASE_MS,
    atATime: 1,
  });
}
