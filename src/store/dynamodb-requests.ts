import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from "@aws-sdk/lib-dynamodb";
import { dynamoError } from "./dynamodb-errors.ts";

export interface StoreTable {
  client: DynamoDBDocumentClient;
  name: string;
  /** Milliseconds since 1970, to leave out what has expired. */
  now: () => number;
}

export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };

type Write = NonNullable<BatchWriteCommandInput["RequestItems"]>[string][number];

/** The most that one BatchWriteItem takes. */
const WRITES_A_BATCH = 25;

/** Attempts at what a busy table left over of a batch: about 12 seconds in all. */
const BATCH_ATTEMPTS = 9;

/** One request; what AWS or the network throws becomes `store-unavailable` with the table's name. */
export async function request<Output>(
  table: StoreTable,
  send: (client: DynamoDBDocumentClient) => Promise<Output>,
): Promise<Output> {
  try {
    return await send(table.client);
  } catch (error) {
    // An outcome, not a failure: `allowed` tells it to those who gave a condition.
    if (error instanceof ConditionalCheckFailedException) throw error;
    throw dynamoError(error, table.name);
  }
}

/** Whether the condition of a write held. Without it nothing was written. */
export async function allowed(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

export type Condition = Pick<
  PutCommandInput,
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

export const IF_NEW: Condition = { ConditionExpression: "attribute_not_exists(pk)" };

/**
 * Writes a whole item; false when the condition did not hold. The SDK repeats a write whose answer was lost, and
 * the second attempt then fails on what the first has written: `writeId` tells that from somebody else's item.
 */
export async function putItem(
  table: StoreTable,
  item: Item & Key,
  condition: Condition = {},
): Promise<boolean> {
  const writeId = randomUUID();
  try {
    await request(table, (client) =>
      client.send(new PutCommand({ TableName: table.name, Item: { ...item, writeId }, ...condition })),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (error.$metadata.attempts === 1) return false;
    return (await getItem(table, item))?.writeId === writeId;
  }
}

/** One item as it is now, or undefined; one that has expired is not there. */
export async function getItem(table: StoreTable, { pk, sk }: Key): Promise<Item | undefined> {
  const { Item: item } = await request(table, (client) =>
    client.send(new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: true })),
  );
  return item === undefined || hasExpired(table, item) ? undefined : item;
}

/** What a query finds, page after page, without what has expired. */
export async function* query(
  table: StoreTable,
  input: Omit<QueryCommandInput, "TableName" | "ExclusiveStartKey">,
): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page: QueryCommandOutput = await request(table, (client) =>
      client.send(
        new QueryCommand({
          ...input,
          TableName: table.name,
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        }),
      ),
    );
    for (const item of page.Items ?? []) if (!hasExpired(table, item)) yield item;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** The items with these keys that exist, in no order: at most 100, as of a moment ago. */
export async function getItems(table: StoreTable, keys: readonly Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let left: Item[] = [...keys];
  for (let attempt = 0; left.length > 0; attempt++) {
    await pauseBefore(table, attempt);
    const answer = await request(table, (client) =>
      client.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: left } } })),
    );
    found.push(...(answer.Responses?.[table.name] ?? []));
    left = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return found.filter((item) => !hasExpired(table, item));
}

/** Writes and deletes without conditions, until the table has taken all of them. */
export async function writeAll(table: StoreTable, writes: readonly Write[]): Promise<void> {
  for (let first = 0; first < writes.length; first += WRITES_A_BATCH) {
    let left = writes.slice(first, first + WRITES_A_BATCH);
    for (let attempt = 0; left.length > 0; attempt++) {
      await pauseBefore(table, attempt);
      const answer = await request(table, (client) =>
        client.send(new BatchWriteCommand({ RequestItems: { [table.name]: left } })),
      );
      left = answer.UnprocessedItems?.[table.name] ?? [];
    }
  }
}

/** `ttl` for what may go that many days after an instant. */
export function secondsAt(instant: string, plusDays: number): number {
  return Math.ceil(Date.parse(instant) / 1_000) + plusDays * 86_400;
}

function hasExpired(table: StoreTable, item: Item): boolean {
  return typeof item.ttl === "number" && item.ttl * 1_000 <= table.now();
}

/** The SDK repeats failed requests itself, but not what a batch that succeeded has left over. */
async function pauseBefore(table: StoreTable, attempt: number): Promise<void> {
  if (attempt === 0) return;
  if (attempt === BATCH_ATTEMPTS) {
    throw dynamoError(new Error("it is too busy to take all that was sent"), table.name);
  }
  await sleep(25 * 2 ** attempt * (0.5 + Math.random() / 2));
}
