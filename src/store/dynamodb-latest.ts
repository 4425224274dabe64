import { z } from "zod";
import { type ClusterAudit, clusterAuditSchema } from "#src/model/cluster-audit.ts";
import { partsOf, readBody, storeBody } from "./dynamodb-bodies.ts";
import { unreadableItem } from "./dynamodb-errors.ts";
import { clusterKey, indexKeys } from "./dynamodb-keys.ts";
import { getItem, type Item, type Key, type StoreTable } from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import { findingChangeSchema, openFindingSchema } from "./records.ts";

/**
 * What the item of a cluster's latest audit holds. The changes that the audit showed are in it too, so that
 * they are stored in the same write as what is open after them; `dynamodb-changes.ts` copies them out.
 */
const latestSchema = z.object({
  audit: clusterAuditSchema,
  open: z.array(openFindingSchema),
  changes: z.array(findingChangeSchema),
});
export type Latest = z.infer<typeof latestSchema>;

export function latestKey(clusterId: string): Key {
  return { pk: clusterKey(clusterId), sk: "LATEST" };
}

/** The item of a latest audit; its parts, if it needs any, are written when this returns. */
export async function latestItem(table: StoreTable, latest: Latest): Promise<Item & Key> {
  const { audit } = latest;
  const keys = latestKey(audit.id);
  return {
    ...keys,
    ...indexKeys("LATEST", audit.id, audit.team),
    ...auditColumns(audit),
    auditedAt: sortableInstant(audit.auditedAt),
    ...(await storeBody(table, keys.pk, "body", latest)),
  };
}

/** What the fleet is filtered by. */
export function auditColumns(audit: ClusterAudit): Item & { clusterId: string } {
  return {
    clusterId: audit.id,
    team: audit.team,
    environment: audit.environment,
    provider: audit.provider,
    account: audit.account,
    region: audit.region,
    mode: audit.dataPlane.mode,
  };
}

/**
 * What stays in the place of a removed cluster's latest audit, so that a late message does not bring the cluster
 * back. It does not expire: between that moment and its deletion by DynamoDB it would be there for a condition
 * and not for a reader.
 */
export function removalMark(clusterId: string, auditedAt: unknown): Item & Key {
  return { ...latestKey(clusterId), removed: true, auditedAt };
}

export function isRemoved(item: Item): boolean {
  return item.removed === true;
}

/**
 * What a cluster's item holds; undefined when there is none. Throws `store-unavailable` for one that cannot be
 * read. `item` is what was read of it, if anything was.
 */
export async function readLatest(
  table: StoreTable,
  clusterId: string,
  item?: Item,
): Promise<Latest | undefined> {
  const keys = latestKey(clusterId);
  let current = item ?? (await getItem(table, keys));
  while (current !== undefined && !isRemoved(current)) {
    const body = await readBody(table, current);
    if (body.readable) {
      const latest = latestSchema.safeParse(body.value);
      if (latest.success) return latest.data;
      throw unreadableItem(table.name, `an audit of ${clusterId}`, latest.error);
    }
    // A newer audit takes the place of this one, and this one's parts away, while they are read.
    const again: Item | undefined = await getItem(table, keys);
    if (again !== undefined && partsOf(again)?.id === partsOf(current)?.id) {
      throw unreadableItem(table.name, `an audit of ${clusterId}`, body.cause);
    }
    current = again;
  }
  return undefined;
}

/**
 * The same for the next audit, which counts what cannot be read as nothing: otherwise one bad item would keep
 * its cluster from ever being stored again.
 */
export async function readableLatest(table: StoreTable, item: Item | undefined): Promise<Latest | undefined> {
  if (item === undefined || isRemoved(item)) return undefined;
  const body = await readBody(table, item);
  return body.readable ? latestSchema.safeParse(body.value).data : undefined;
}
