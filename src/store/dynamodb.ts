import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { dynamoAudits } from "./dynamodb-audits.ts";
import { dynamoChanges } from "./dynamodb-changes.ts";
import { dynamoDecisions } from "./dynamodb-decisions.ts";
import { dynamoDigests } from "./dynamodb-digests.ts";
import { dynamoFleet } from "./dynamodb-fleet.ts";
import { dynamoInteractions } from "./dynamodb-interactions.ts";
import { dynamoRuns } from "./dynamodb-runs.ts";
import type { FindingStore } from "./store.ts";

/**
 * The store of a fleet: one DynamoDB table as `dynamodb-table.ts` defines it, shared by many writers. Nothing
 * is asked of the table here, so a wrong name shows at the first use, as `store-unavailable`. The client stays
 * the caller's to end.
 */
export function createDynamoStore(options: {
  client: DynamoDBDocumentClient | DynamoDBClient;
  table: string;
  /** Milliseconds since 1970; the clock unless given. */
  now?: () => number;
}): FindingStore {
  const client =
    options.client instanceof DynamoDBDocumentClient
      ? options.client
      : DynamoDBDocumentClient.from(options.client);
  const table = { client, name: options.table, now: options.now ?? Date.now };
  return {
    ...dynamoAudits(table),
    ...dynamoFleet(table),
    ...dynamoChanges(table),
    ...dynamoDecisions(table),
    ...dynamoDigests(table),
    ...dynamoInteractions(table),
    ...dynamoRuns(table),
    close: async () => {},
  };
}
