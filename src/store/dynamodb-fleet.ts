import { type ClusterAudit, clusterAuditSchema } from "#src/model/cluster-audit.ts";
import { readBodyAs } from "./dynamodb-bodies.ts";
import { afterAll, clusterKey, key, matches, teamKind } from "./dynamodb-keys.ts";
import { auditColumns, latestKey, readLatest } from "./dynamodb-latest.ts";
import { getItems, type Item, query, type StoreTable } from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import type { AuditStore, ClusterFilter } from "./store.ts";

/** Audits fetched at a time: at most 100 items and 16 MB to an answer of BatchGetItem. */
const FETCHED_AT_ONCE = 50;

export function dynamoFleet(table: StoreTable): Pick<AuditStore, "latestAll" | "history"> {
  /** The index says who matches, the items what they say. */
  async function* latestAll(filter: ClusterFilter = {}): AsyncGenerator<ClusterAudit> {
    let ids: string[] = [];
    for await (const entry of indexEntries(table, filter)) {
      if (!matches(entry, filter)) continue;
      ids.push(String(entry.clusterId));
      if (ids.length < FETCHED_AT_ONCE) continue;
      yield* audits(ids, filter);
      ids = [];
    }
    yield* audits(ids, filter);
  }

  async function* audits(ids: readonly string[], filter: ClusterFilter): AsyncGenerator<ClusterAudit> {
    const items = await getItems(table, ids.map(latestKey));
    const byCluster = new Map(items.map((item) => [String(item.clusterId), item]));
    for (const id of ids) {
      const item = byCluster.get(id);
      // Removed, or moved to another team, since its index entry was read.
      const latest = item === undefined ? undefined : await readLatest(table, id, item);
      if (latest !== undefined && matches(auditColumns(latest.audit), filter)) yield latest.audit;
    }
  }

  return {
    latestAll,
    history: async (clusterId, { limit, since }) => {
      const pk = clusterKey(clusterId);
      const found: ClusterAudit[] = [];
      if (limit < 1) return found;
      const items = query(table, {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :since AND :end",
        ExpressionAttributeValues: {
          ":pk": pk,
          ":since": since === undefined ? "HISTORY#" : key("HISTORY", sortableInstant(since)),
          ":end": afterAll("HISTORY"),
        },
        ScanIndexForward: false,
        Limit: limit,
        ConsistentRead: true,
      });
      for await (const item of items) {
        found.push(await readBodyAs(table, clusterAuditSchema, item, `an audit of ${clusterId}`));
        if (found.length === limit) break;
      }
      return found;
    },
  };
}

function indexEntries(table: StoreTable, { team }: ClusterFilter): AsyncGenerator<Item> {
  const byTeam = team !== undefined && team !== null;
  return query(table, {
    IndexName: byTeam ? "byTeam" : "byKind",
    KeyConditionExpression: "#hash = :hash",
    ExpressionAttributeNames: { "#hash": byTeam ? "teamKind" : "kind" },
    ExpressionAttributeValues: { ":hash": byTeam ? teamKind("LATEST", team) : "LATEST" },
  });
}
