import { z } from "zod";
import { deleteParts, partsOf, readBodyAs, storeBody } from "./dynamodb-bodies.ts";
import { afterAll, clusterKey, indexKeys, key, matches, teamKind } from "./dynamodb-keys.ts";
import { IF_NEW, putItem, query, type StoreTable, secondsAt } from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import { type FindingChange, findingChangeSchema } from "./records.ts";
import { AUDITS_KEPT_DAYS, type AuditStore, type ChangeFilter } from "./store.ts";

const changesSchema = z.array(findingChangeSchema);

/** Stores what one audit changed, as one item; again and again if need be, with the same outcome. */
export async function putChanges(table: StoreTable, changes: readonly FindingChange[]): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const at = sortableInstant(first.at);
  const pk = clusterKey(first.clusterId);
  const ttl = secondsAt(at, AUDITS_KEPT_DAYS);
  const record = await storeBody(table, pk, "record", changes, ttl);
  const { clusterId, team, environment, provider } = first;
  const added = await putItem(
    table,
    {
      pk,
      sk: key("CHANGE", at),
      // Of one instant by cluster: an instant has no `#` and always the same length.
      ...indexKeys("CHANGE", `${at}#${clusterId}`, team),
      clusterId,
      team,
      environment,
      provider,
      ...record,
      ttl,
    },
    IF_NEW,
  );
  if (!added) await deleteParts(table, pk, partsOf(record));
}

export function dynamoChanges(table: StoreTable): Pick<AuditStore, "changesSince"> {
  return {
    changesSince: async (since, filter = {}) => {
      const found: FindingChange[] = [];
      for await (const item of changeItems(table, sortableInstant(since), filter)) {
        if (matches(item, filter))
          found.push(...(await readBodyAs(table, changesSchema, item, `changes of ${item.clusterId}`)));
      }
      return found;
    },
  };
}

/** By the narrowest way there is to them, oldest first. */
function changeItems(table: StoreTable, since: string, { clusterId, team }: ChangeFilter) {
  if (clusterId !== undefined) {
    return query(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :since AND :end",
      ExpressionAttributeValues: {
        ":pk": clusterKey(clusterId),
        ":since": key("CHANGE", since),
        ":end": afterAll("CHANGE"),
      },
      ConsistentRead: true,
    });
  }
  const byTeam = team !== undefined && team !== null;
  return query(table, {
    IndexName: byTeam ? "byTeam" : "byKind",
    KeyConditionExpression: "#hash = :hash AND #position >= :since",
    ExpressionAttributeNames: { "#hash": byTeam ? "teamKind" : "kind", "#position": "position" },
    ExpressionAttributeValues: { ":hash": byTeam ? teamKind("CHANGE", team) : "CHANGE", ":since": since },
  });
}
