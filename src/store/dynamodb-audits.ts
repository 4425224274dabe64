import { type ClusterAudit, clusterAuditSchema } from "#src/model/cluster-audit.ts";
import { deleteParts, partsOf, storeBody } from "./dynamodb-bodies.ts";
import { putChanges } from "./dynamodb-changes.ts";
import { key } from "./dynamodb-keys.ts";
import {
  isRemoved,
  latestItem,
  latestKey,
  readableLatest,
  readLatest,
  removalMark,
} from "./dynamodb-latest.ts";
import {
  type Condition,
  getItem,
  IF_NEW,
  type Item,
  putItem,
  type StoreTable,
  secondsAt,
} from "./dynamodb-requests.ts";
import { findingChanges } from "./finding-changes.ts";
import { sortableInstant } from "./instant.ts";
import { AUDITS_KEPT_DAYS, type AuditStore } from "./store.ts";

/**
 * Writes audits without a transaction. The order makes each write stand when the next one never comes: first
 * the history; then the latest audit with its changes in it, on condition that nobody has replaced the one it
 * was compared with; then the changes as an item of their own. A message that is delivered again, or the
 * cluster's next audit, finishes what was interrupted.
 */
export function dynamoAudits(
  table: StoreTable,
): Pick<AuditStore, "putAudit" | "latest" | "openFindings" | "removeCluster"> {
  return {
    putAudit: async (put) => {
      const audit = clusterAuditSchema.parse(put);
      const at = sortableInstant(audit.auditedAt);
      const keys = latestKey(audit.id);
      const added = await putHistory(table, audit);
      while (true) {
        const current = await getItem(table, keys);
        const previous = await readableLatest(table, current);
        await putChanges(table, previous?.changes ?? []);
        if (current !== undefined && String(current.auditedAt) >= at) {
          const kept = added && current.auditedAt !== at ? "history" : "duplicate";
          return { kept, changes: [] };
        }
        const { open, changes } = findingChanges(previous?.open, audit);
        const item = await latestItem(table, { audit, open, changes });
        if (await putItem(table, item, ifStill(current))) {
          await putChanges(table, changes);
          await deleteParts(table, keys.pk, partsOf(current));
          return { kept: "latest", changes };
        }
        await deleteParts(table, keys.pk, partsOf(item));
      }
    },
    latest: async (clusterId) => (await readLatest(table, clusterId))?.audit,
    openFindings: async (clusterId) => (await readLatest(table, clusterId))?.open ?? [],
    removeCluster: async (clusterId) => {
      const keys = latestKey(clusterId);
      while (true) {
        const current = await getItem(table, keys);
        if (current === undefined || isRemoved(current)) return;
        const previous = await readableLatest(table, current);
        await putChanges(table, previous?.changes ?? []);
        if (await putItem(table, removalMark(clusterId, current.auditedAt), ifStill(current))) {
          return await deleteParts(table, keys.pk, partsOf(current));
        }
      }
    },
  };
}

/** False when the audit of that instant is there already. */
async function putHistory(table: StoreTable, audit: ClusterAudit): Promise<boolean> {
  const at = sortableInstant(audit.auditedAt);
  const { pk } = latestKey(audit.id);
  const ttl = secondsAt(at, AUDITS_KEPT_DAYS);
  const body = await storeBody(table, pk, "body", audit, ttl);
  const added = await putItem(
    table,
    { pk, sk: key("HISTORY", at), clusterId: audit.id, ...body, ttl },
    IF_NEW,
  );
  if (!added) await deleteParts(table, pk, partsOf(body));
  return added;
}

/** That a cluster's item is the one that was read: audits of it only get newer, and a removal keeps the time. */
function ifStill(current: Item | undefined): Condition {
  if (current === undefined) return IF_NEW;
  const removal = isRemoved(current) ? "attribute_exists(removed)" : "attribute_not_exists(removed)";
  return {
    ConditionExpression: `auditedAt = :auditedAt AND ${removal}`,
    ExpressionAttributeValues: { ":auditedAt": current.auditedAt },
  };
}
