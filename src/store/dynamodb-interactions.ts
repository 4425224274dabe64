import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { z } from "zod";
import { approvalDecisionSchema, approvalRequestSchema } from "#src/model/approval-request.ts";
import { unreadableItem } from "./dynamodb-errors.ts";
import { key } from "./dynamodb-keys.ts";
import { allowed, getItem, putItem, request, type StoreTable, secondsAt } from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import { APPROVAL_REQUESTS_KEPT_DAYS, type InteractionStore } from "./store.ts";

export function dynamoInteractions(table: StoreTable): InteractionStore {
  const onceKey = (name: string) => ({ pk: key("ONCE", name), sk: "ONCE" });
  const requestKey = (id: string) => ({ pk: key("APPROVAL-REQUEST", id), sk: "REQUEST" });

  return {
    claimOnce: (name, { at, until }) =>
      putItem(
        table,
        { ...onceKey(name), until: sortableInstant(until), ttl: secondsAt(until, 0) },
        {
          // DynamoDB deletes what has expired within days, not at once.
          ConditionExpression: "attribute_not_exists(pk) OR #until <= :at",
          ExpressionAttributeNames: { "#until": "until" },
          ExpressionAttributeValues: { ":at": sortableInstant(at) },
        },
      ),
    releaseOnce: async (name) => {
      await request(table, (client) =>
        client.send(new DeleteCommand({ TableName: table.name, Key: onceKey(name) })),
      );
    },
    putApprovalRequest: async (put) => {
      const record = JSON.stringify(approvalRequestSchema.parse(put));
      const ttl = secondsAt(put.createdAt, APPROVAL_REQUESTS_KEPT_DAYS);
      await putItem(table, { ...requestKey(put.id), record, ttl });
    },
    approvalRequest: async (id) => {
      const item = await getItem(table, requestKey(id));
      if (item === undefined) return undefined;
      const read = <T>(schema: z.ZodType<T>, text: unknown): T => {
        try {
          return schema.parse(JSON.parse(String(text)));
        } catch (cause) {
          throw unreadableItem(table.name, `the approval request ${id}`, cause);
        }
      };
      return {
        request: read(approvalRequestSchema, item.record),
        decision: item.decision === undefined ? null : read(approvalDecisionSchema, item.decision),
      };
    },
    decideApprovalRequest: (id, decision) =>
      allowed(
        request(table, (client) =>
          client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: requestKey(id),
              UpdateExpression: "SET decision = :decision",
              // The same decision again is a repeated request whose answer was lost.
              ConditionExpression:
                "attribute_exists(pk) AND (attribute_not_exists(decision) OR decision = :decision)",
              ExpressionAttributeValues: {
                ":decision": JSON.stringify(approvalDecisionSchema.parse(decision)),
              },
            }),
          ),
        ),
      ),
  };
}
