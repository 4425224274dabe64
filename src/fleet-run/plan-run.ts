import type { AwsAccess } from "#src/aws/access.ts";
import { type AwsAccount, listAccounts } from "#src/inventory/aws/accounts.ts";
import { clusterIdOf } from "#src/inventory/aws/cluster-ref.ts";
import { clustersFromAggregator } from "#src/inventory/aws/config-aggregator.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { Run } from "#src/store/records.ts";
import type { RunStore } from "#src/store/store.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { AccountMessage, ClusterMessage } from "./messages.ts";
import type { PlanEvent, PlanRequest } from "./plan-request.ts";
import { manualRunId, scheduledRunId } from "./run-id.ts";
import type { Telemetry } from "./telemetry.ts";

export interface PlanOptions {
  access: AwsAccess;
  store: Pick<RunStore, "startRun" | "markRun" | "run">;
  accountsQueue: MessageQueue;
  clustersQueue: MessageQueue;
  request: PlanRequest;
  telemetry: Telemetry;
  now: () => Date;
}

export interface RunPlan {
  runId: string;
  accounts: number;
  /** Found here, by the aggregator; otherwise they are found account by account. */
  clusters: number;
  /** A run that was closed is not opened again. */
  alreadyClosed: boolean;
}

const MARKS_AT_A_TIME = 16;

/**
 * Starts a run: writes down what it has to reach, then sends a message for each account. In that order: a message
 * that was never sent shows as pending when the run is closed. Planning a run again sends what is not done yet.
 *
 * @throws ProxyAuditError `aws` where no account can be listed: the schedule tries again.
 */
export async function planRun(event: PlanEvent, options: PlanOptions): Promise<RunPlan> {
  const { access, store, telemetry, request } = options;
  const runId =
    event.scheduledTime === undefined
      ? manualRunId(options.now())
      : scheduledRunId(new Date(event.scheduledTime));
  const known = await store.run(runId);
  if (known !== undefined && known.closedAt !== null) {
    return { runId, accounts: 0, clusters: 0, alreadyClosed: true };
  }
  const { accounts, entries } = await listAccounts(request.accounts, access);
  const unread = entries.find(({ kind, status }) => kind === "organization" && status === "failed");
  if (accounts.length === 0) {
    throw new ProxyAuditError(
      "aws",
      unread?.reason ?? "there is no account to look into: see PROXY_AUDIT_ACCOUNTS",
    );
  }
  await store.startRun(runId, options.now().toISOString());
  await markEntries(runId, entries, options);
  const found =
    request.aggregator === null
      ? { clusters: 0, accounts: await sendAccounts(runId, accounts, known, options) }
      : { clusters: await sendAggregated(runId, accounts, request.aggregator, options), accounts: 0 };
  telemetry.info("run planned", { runId, ...found });
  return { runId, ...found, alreadyClosed: false };
}

async function sendAccounts(
  runId: string,
  accounts: readonly AwsAccount[],
  known: Run | undefined,
  options: PlanOptions,
): Promise<number> {
  const ended = new Set([
    ...(known?.done ?? []),
    ...(known?.skipped ?? []).map(({ clusterId }) => clusterId),
  ]);
  const left = accounts.filter(({ id }) => !ended.has(id));
  await expect(
    runId,
    left.map(({ id }) => id),
    options,
  );
  const messages = left.map(
    ({ id, tags }): AccountMessage => ({
      kind: "account",
      runId,
      account: id,
      tags: ownTags(tags, options.request.ownerTags),
    }),
  );
  await options.accountsQueue.send(messages);
  return messages.length;
}

async function sendAggregated(
  runId: string,
  accounts: readonly AwsAccount[],
  aggregator: string,
  options: PlanOptions,
): Promise<number> {
  const { access, request } = options;
  const { regions } = request;
  const only = request.accounts.kind === "caller" ? null : accounts.map(({ id }) => id);
  const found = await clustersFromAggregator(access, { aggregator, accounts: only, regions });
  await markEntries(runId, found.entries, options);
  await expect(runId, found.clusters.map(clusterIdOf), options);
  const tags = new Map(accounts.map((account) => [account.id, ownTags(account.tags, request.ownerTags)]));
  const messages = found.clusters.map(
    (ref): ClusterMessage => ({ kind: "cluster", runId, ...ref, accountTags: tags.get(ref.account) ?? {} }),
  );
  await options.clustersQueue.send(messages);
  options.telemetry.count("ClustersExpected", messages.length);
  return messages.length;
}

async function expect(
  runId: string,
  ids: readonly string[],
  { store, now }: Pick<PlanOptions, "store" | "now">,
): Promise<void> {
  const limited = createLimiter(MARKS_AT_A_TIME);
  const at = now().toISOString();
  await Promise.all(
    ids.map((clusterId) => limited(() => store.markRun(runId, { clusterId, outcome: "expected", at }))),
  );
}

/** What of the organization was left out or could not be read. */
async function markEntries(
  runId: string,
  entries: readonly InventoryEntry[],
  { store, now }: Pick<PlanOptions, "store" | "now">,
): Promise<void> {
  const limited = createLimiter(MARKS_AT_A_TIME);
  const at = now().toISOString();
  const marks = entries.flatMap(({ kind, id, status, reason }) =>
    status === "ok"
      ? []
      : [
          {
            clusterId: kind === "organization" ? `organization ${id}` : id,
            outcome: status,
            at,
            reason: reason ?? "",
          },
        ],
  );
  await Promise.all(marks.map((mark) => limited(() => store.markRun(runId, mark))));
}

function ownTags(tags: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  const wanted = new Set(keys.map((key) => key.toLowerCase()));
  return Object.fromEntries(Object.entries(tags).filter(([key]) => wanted.has(key.toLowerCase())));
}
