import type { AwsAccess } from "#src/aws/access.ts";
import { mayPass } from "#src/aws/failure.ts";
import { clusterIdOf } from "#src/inventory/aws/cluster-ref.ts";
import { enumerateAccount } from "#src/inventory/aws/enumerate.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { RunStore } from "#src/store/store.ts";
import { type Delivery, RetryLater } from "./batch.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { AccountMessage, ClusterMessage } from "./messages.ts";
import { isFinal } from "./outcome.ts";
import type { Telemetry } from "./telemetry.ts";

export interface EnumerateMessageOptions {
  access: AwsAccess;
  store: Pick<RunStore, "beginInRun" | "markRun">;
  clustersQueue: MessageQueue;
  /** Empty: every Region that is enabled. */
  regions: readonly string[];
  telemetry: Telemetry;
  now: () => Date;
}

const MARKS_AT_A_TIME = 16;

/**
 * Finds the clusters of one account and sends a message for each. The account is done last: whatever ends this in
 * the middle, the message comes again and sends what may be there already.
 */
export async function enumerateMessage(
  message: AccountMessage,
  { last }: Delivery,
  options: EnumerateMessageOptions,
): Promise<void> {
  const { access, store, telemetry } = options;
  const { runId, account } = message;
  const { outcome } = await store.beginInRun(runId, account, options.now().toISOString());
  if (isFinal(outcome)) return;
  const { clusters, entries } = await enumerateAccount(access, account, { regions: options.regions });
  await closeAccount(access, account);
  await mark(
    runId,
    clusters.map((ref) => ({ clusterId: clusterIdOf(ref), outcome: "expected" })),
    options,
  );
  await options.clustersQueue.send(
    clusters.map((ref): ClusterMessage => ({ kind: "cluster", runId, ...ref, accountTags: message.tags })),
  );
  const passing = entries.find(({ status, why }) => status === "failed" && why !== null && mayPass(why));
  if (passing !== undefined && !last) throw new RetryLater(`${passing.id}: ${passing.reason}`);
  const regions = entries.filter(({ kind, why }) => kind === "region" && why !== "not-requested");
  await mark(runId, regions.map(markOf), options);
  await mark(runId, entries.filter(({ kind }) => kind === "account").map(markOf), options);
  telemetry.count("ClustersExpected", clusters.length);
  telemetry.info("account enumerated", {
    runId,
    account,
    clusters: clusters.length,
    unread: entries.filter(({ status }) => status !== "ok").map(({ id, reason }) => `${id}: ${reason}`),
  });
}

/** Its clients are not needed again: an organization has thousands of pairs of account and Region. */
async function closeAccount(access: AwsAccess, account: string): Promise<void> {
  const opened = await access.account(account);
  if (opened.ok) opened.value.close();
}

type Mark = { clusterId: string; outcome: "expected" | "done" | "skipped" | "failed"; reason?: string };

function markOf({ id, status, reason }: InventoryEntry): Mark {
  return { clusterId: id, outcome: status === "ok" ? "done" : status, reason: reason ?? "" };
}

async function mark(
  runId: string,
  marks: readonly Mark[],
  { store, now }: Pick<EnumerateMessageOptions, "store" | "now">,
): Promise<void> {
  const limited = createLimiter(MARKS_AT_A_TIME);
  const at = now().toISOString();
  await Promise.all(marks.map((one) => limited(() => store.markRun(runId, { ...one, at }))));
}
