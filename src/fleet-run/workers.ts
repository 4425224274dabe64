import { createEksPublished } from "#src/aws/eks-published.ts";
import { clusterIdOf } from "#src/inventory/aws/cluster-ref.ts";
import type { RunStore } from "#src/store/store.ts";
import { type AuditMessageOptions, auditMessage } from "./audit-message.ts";
import { type BatchOptions, type BatchResponse, handleBatch } from "./batch.ts";
import { type EnumerateMessageOptions, enumerateMessage } from "./enumerate-message.ts";
import { accountMessageSchema, type ClusterMessage, clusterMessageSchema } from "./messages.ts";

/** Reading one cluster ends after this; describing it and storing its audit come on top. */
export const CLUSTER_TIMEOUT_MS = 60_000;
export const CLUSTER_WORST_CASE_MS = 100_000;
/** An account with every Region throttled to the end of the SDK's patience. */
export const ACCOUNT_WORST_CASE_MS = 150_000;
/** Clusters that one function reads at a time: it waits for the network most of the time. */
const CLUSTERS_AT_A_TIME = 2;

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
  const auditOptions = { ...options, timeoutMs: CLUSTER_TIMEOUT_MS, logs: LOGS };
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

/** As the command line reads without --deep. */
const LOGS = 3;

/** What EKS publishes, kept as long as a function's environment lives. */
export const published = createEksPublished();

async function failedInRun(
  runId: string,
  clusterId: string,
  reason: string,
  { store, now }: { store: Pick<RunStore, "markRun">; now: () => Date },
): Promise<void> {
  await store.markRun(runId, { clusterId, outcome: "failed", reason, at: now().toISOString() });
}
