import { clusterIdOf } from "#src/inventory/aws/cluster-ref.ts";
import type { RunStore } from "#src/store/store.ts";
import { type AuditMessageOptions, auditMessage } from "./audit-message.ts";
import { type BatchOptions, type BatchResponse, handleBatch } from "./batch.ts";
import { type EnumerateMessageOptions, enumerateMessage } from "./enumerate-message.ts";
import {
  ACCOUNT_WORST_CASE_MS,
  CLUSTER_LOGS,
  CLUSTER_TIMEOUT_MS,
  CLUSTER_WORST_CASE_MS,
  CLUSTERS_AT_A_TIME,
} from "./limits.ts";
import { accountMessageSchema, type ClusterMessage, clusterMessageSchema } from "./messages.ts";

type Batch = Pick<BatchOptions<never>, "deadLetters" | "remainingMs">;

/** Works through a batch of account messages. */
export function enumerateBatch(
  event: unknown,
  batch: Batch,
  options: EnumerateMessageOptions,
): Promise<BatchResponse> {
  return handleBatch(event, {
    ...batch,
    schema: accountMessageSchema,
    handle: (message, delivery) => enumerateMessage(message, delivery, options),
    giveUp: ({ runId, account }, reason) => failedInRun(runId, account, reason, options),
    worstCaseMs: ACCOUNT_WORST_CASE_MS,
    atATime: 1,
    telemetry: options.telemetry,
  });
}

/** Works through a batch of cluster messages, and lets go of their connections at its end. */
export async function auditBatch(
  event: unknown,
  batch: Batch,
  options: Omit<AuditMessageOptions, "timeoutMs" | "logs">,
): Promise<BatchResponse> {
  const touched = new Map<string, ClusterMessage>();
  const auditOptions = { ...options, timeoutMs: CLUSTER_TIMEOUT_MS, logs: CLUSTER_LOGS };
  const response = await handleBatch(event, {
    ...batch,
    schema: clusterMessageSchema,
    handle: (message, delivery) => {
      touched.set(`${message.account}/${message.region}`, message);
      return auditMessage(message, delivery, auditOptions);
    },
    giveUp: (message, reason) => {
      options.telemetry.count("ClustersFailed", 1);
      return failedInRun(message.runId, clusterIdOf(message), reason, options);
    },
    worstCaseMs: CLUSTER_WORST_CASE_MS,
    atATime: CLUSTERS_AT_A_TIME,
    telemetry: options.telemetry,
  });
  for (const { account, region } of touched.values()) {
    const clients = await options.access.account(account);
    if (clients.ok) clients.value.release(region);
  }
  return response;
}

async function failedInRun(
  runId: string,
  clusterId: string,
  reason: string,
  { store, now }: { store: Pick<RunStore, "markRun">; now: () => Date },
): Promise<void> {
  await store.markRun(runId, { clusterId, outcome: "failed", reason, at: now().toISOString() });
}
