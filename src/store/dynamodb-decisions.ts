import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { z } from "zod";
import { approvalSchema, waiverSchema } from "#src/model/waiver.ts";
import { readBodyAs, storeBody } from "./dynamodb-bodies.ts";
import { clusterKey, compareTexts, indexKeys, key } from "./dynamodb-keys.ts";
import { putItem, query, request, type StoreTable } from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import type { DecisionStore } from "./store.ts";

interface Decision {
  id: string;
  clusterId: string;
  createdAt: string;
  expiresAt: string;
}

/** Waivers and approvals are kept after they have expired: they say who decided what. */
export function dynamoDecisions(table: StoreTable): DecisionStore {
  const put = async (kind: "WAIVER" | "APPROVAL", position: string, decision: Decision) => {
    const pk = clusterKey(decision.clusterId);
    await putItem(table, {
      pk,
      sk: key(kind, decision.id),
      ...indexKeys(kind, position, null),
      clusterId: decision.clusterId,
      ...(await storeBody(table, pk, "record", decision)),
    });
  };

  /** In no particular order. */
  const list = async <T extends Decision>(
    kind: "WAIVER" | "APPROVAL",
    schema: z.ZodType<T>,
    filter: { clusterId?: string; activeAt?: string },
  ): Promise<T[]> => {
    const activeAt = filter.activeAt === undefined ? undefined : sortableInstant(filter.activeAt);
    const items =
      filter.clusterId === undefined
        ? query(table, {
            IndexName: "byKind",
            KeyConditionExpression: "#kind = :kind",
            ExpressionAttributeNames: { "#kind": "kind" },
            ExpressionAttributeValues: { ":kind": kind },
          })
        : query(table, {
            KeyConditionExpression: "pk = :pk AND begins_with(sk, :kind)",
            ExpressionAttributeValues: { ":pk": clusterKey(filter.clusterId), ":kind": `${kind}#` },
            ConsistentRead: true,
          });
    const found: T[] = [];
    for await (const item of items) {
      const decision = await readBodyAs(table, schema, item, `a decision for ${item.clusterId}`);
      if (activeAt === undefined || sortableInstant(decision.expiresAt) > activeAt) found.push(decision);
    }
    return found;
  };

  return {
    putWaiver: async (waiver) => {
      await put("WAIVER", sortableInstant(waiver.expiresAt), waiverSchema.parse(waiver));
    },
    waivers: async (filter = {}) => {
      const order = (one: Decision) => [sortableInstant(one.expiresAt), one.clusterId, one.id];
      const found = await list("WAIVER", waiverSchema, filter);
      return found.sort((one, other) => compareTexts(order(one), order(other)));
    },
    removeWaiver: async (clusterId, id) => {
      const { Attributes: removed } = await request(table, (client) =>
        client.send(
          new DeleteCommand({
            TableName: table.name,
            Key: { pk: clusterKey(clusterId), sk: key("WAIVER", id) },
            ReturnValues: "ALL_OLD",
          }),
        ),
      );
      return removed !== undefined;
    },
    putApproval: async (approval) => {
      await put("APPROVAL", sortableInstant(approval.createdAt), approvalSchema.parse(approval));
    },
    approvals: async (filter = {}) => {
      const order = (one: Decision) => [one.clusterId, one.id];
      const found = await list("APPROVAL", approvalSchema, filter);
      return found.sort(
        (one, other) =>
          compareTexts([sortableInstant(other.createdAt)], [sortableInstant(one.createdAt)]) ||
          compareTexts(order(one), order(other)),
      );
    },
  };
}
