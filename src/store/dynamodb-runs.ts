import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { z } from "zod";
import { readBodyAs, storeBody } from "./dynamodb-bodies.ts";
import { unreadableItem } from "./dynamodb-errors.ts";
import { compareTexts, key } from "./dynamodb-keys.ts";
import {
  allowed,
  type Condition,
  getItem,
  IF_NEW,
  type Item,
  putItem,
  query,
  request,
  type StoreTable,
  secondsAt,
} from "./dynamodb-requests.ts";
import { sortableInstant } from "./instant.ts";
import { FINAL_RUN_OUTCOMES, type Rollup, RUN_OUTCOMES, rollupSchema } from "./records.ts";
import type { RunStore } from "./store.ts";

/** A run has an item for each cluster of the fleet, of use only until somebody has looked into its failures. */
const RUNS_KEPT_DAYS = 90;

const runItemsSchema = z.array(
  z.union([
    z.object({ startedAt: z.string(), closedAt: z.string().optional() }),
    z.object({ clusterId: z.string(), outcome: z.enum(RUN_OUTCOMES), reason: z.string() }),
  ]),
);

const begunItemSchema = z.object({
  outcome: z.enum(RUN_OUTCOMES),
  markedAt: z.string(),
  begunAt: z.string().optional(),
});

const IF_NOT_FINAL: Condition = {
  ConditionExpression: `attribute_not_exists(pk) OR NOT outcome IN (${FINAL_RUN_OUTCOMES.map((outcome) => `:${outcome}`).join(", ")})`,
  ExpressionAttributeValues: Object.fromEntries(
    FINAL_RUN_OUTCOMES.map((outcome) => [`:${outcome}`, outcome]),
  ),
};

export function dynamoRuns(table: StoreTable): RunStore {
  const runKey = (id: string) => ({ pk: key("RUN", id), sk: "RUN" });
  const rollupPartition = (team: string | null | undefined) =>
    team === null || team === undefined ? key("ROLLUP") : key("ROLLUP", team);

  return {
    startRun: async (id, at) => {
      const startedAt = sortableInstant(at);
      await putItem(table, { ...runKey(id), startedAt, ttl: secondsAt(startedAt, RUNS_KEPT_DAYS) }, IF_NEW);
    },
    markRun: async (id, { clusterId, outcome, at, reason }) => {
      const markedAt = sortableInstant(at);
      await putItem(
        table,
        {
          pk: runKey(id).pk,
          sk: key("CLUSTER", clusterId),
          clusterId,
          outcome,
          reason: reason ?? "",
          markedAt,
          ttl: secondsAt(markedAt, RUNS_KEPT_DAYS),
        },
        // The queue delivers more than once and out of order.
        outcome === "expected" ? IF_NEW : IF_NOT_FINAL,
      );
    },
    beginInRun: async (id, clusterId, at) => {
      const begunAt = sortableInstant(at);
      const keys = { pk: runKey(id).pk, sk: key("CLUSTER", clusterId) };
      const begin = request(table, (client) =>
        client.send(
          new UpdateCommand({
            TableName: table.name,
            Key: keys,
            UpdateExpression:
              "SET clusterId = :id, outcome = if_not_exists(outcome, :expected), reason = if_not_exists(reason, :none), " +
              "markedAt = if_not_exists(markedAt, :at), begunAt = if_not_exists(begunAt, :at), #ttl = if_not_exists(#ttl, :ttl)",
            ConditionExpression: IF_NOT_FINAL.ConditionExpression,
            ExpressionAttributeNames: { "#ttl": "ttl" },
            ExpressionAttributeValues: {
              ...IF_NOT_FINAL.ExpressionAttributeValues,
              ":id": clusterId,
              ":expected": "expected",
              ":none": "",
              ":at": begunAt,
              ":ttl": secondsAt(begunAt, RUNS_KEPT_DAYS),
            },
          }),
        ),
      );
      await allowed(begin);
      const parsed = begunItemSchema.safeParse(await getItem(table, keys));
      if (!parsed.success) throw unreadableItem(table.name, `${clusterId} in the run ${id}`, parsed.error);
      const { outcome, markedAt } = parsed.data;
      return { outcome, begunAt: parsed.data.begunAt ?? markedAt };
    },
    closeRun: async (id, at) => {
      await allowed(
        request(table, (client) =>
          client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: runKey(id),
              UpdateExpression: "SET closedAt = :at",
              ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(closedAt)",
              ExpressionAttributeValues: { ":at": sortableInstant(at) },
            }),
          ),
        ),
      );
    },
    run: async (id) => {
      const items = query(table, {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": runKey(id).pk },
        ConsistentRead: true,
      });
      const all: Item[] = [];
      for await (const item of items) all.push(item);
      const parsed = runItemsSchema.safeParse(all);
      if (!parsed.success) throw unreadableItem(table.name, `the run ${id}`, parsed.error);
      const run = parsed.data.find((item) => "startedAt" in item);
      if (run === undefined) return undefined;
      const marks = parsed.data
        .filter((item) => "outcome" in item)
        .sort((one, other) => compareTexts([one.clusterId], [other.clusterId]));
      const clusters = (outcome: string) => marks.filter((mark) => mark.outcome === outcome);
      const endings = (outcome: string) =>
        clusters(outcome).map(({ clusterId, reason }) => ({ clusterId, reason }));
      return {
        id,
        startedAt: run.startedAt,
        closedAt: run.closedAt ?? null,
        pending: clusters("expected").map((mark) => mark.clusterId),
        done: clusters("done").map((mark) => mark.clusterId),
        partial: endings("partial"),
        skipped: endings("skipped"),
        failed: endings("failed"),
      };
    },
    putRollup: async (put) => {
      const rollup = rollupSchema.parse(put);
      const pk = rollupPartition(rollup.team);
      await putItem(table, { pk, sk: rollup.date, ...(await storeBody(table, pk, "record", rollup)) });
    },
    rollups: async ({ from, to, team }) => {
      const found: Rollup[] = [];
      if (from > to) return found;
      const items = query(table, {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": rollupPartition(team), ":from": from, ":to": to },
        ConsistentRead: true,
      });
      for await (const item of items) {
        found.push(await readBodyAs(table, rollupSchema, item, `the roll-up of ${item.sk}`));
      }
      return found;
    },
  };
}
