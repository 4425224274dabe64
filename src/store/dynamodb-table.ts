import type { CreateTableCommandInput, Projection } from "@aws-sdk/client-dynamodb";

/**
 * What both indexes hold beside their keys. `body` is left out: an audit is up to 400 KB, and an index that
 * copied it would double the price of every write. As `auditedAt` is left out too, auditing an unchanged
 * cluster again writes nothing to an index.
 */
const PROJECTION: Projection = {
  ProjectionType: "INCLUDE",
  NonKeyAttributes: [
    "clusterId",
    "team",
    "environment",
    "provider",
    "account",
    "region",
    "mode",
    "record",
    "parts",
    "ttl",
  ],
};

/**
 * The one table, as data: tests create it from this and the deployment's template is made of it. Everything
 * about a cluster is in one partition.
 *
 * - `byKind`: all items of a kind (`LATEST`, `CHANGE`, `WAIVER`, `APPROVAL`) in order. One index partition takes
 *   1,000 small writes a second, which is a fleet of 10,000 clusters audited for the first time in a minute.
 * - `byTeam`: the same for one team, for `LATEST` and `CHANGE`.
 */
export const dynamoTableDefinition = {
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "kind", AttributeType: "S" },
    { AttributeName: "teamKind", AttributeType: "S" },
    { AttributeName: "position", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "byKind",
      KeySchema: [
        { AttributeName: "kind", KeyType: "HASH" },
        { AttributeName: "position", KeyType: "RANGE" },
      ],
      Projection: PROJECTION,
    },
    {
      IndexName: "byTeam",
      KeySchema: [
        { AttributeName: "teamKind", KeyType: "HASH" },
        { AttributeName: "position", KeyType: "RANGE" },
      ],
      Projection: PROJECTION,
    },
  ],
} satisfies Omit<CreateTableCommandInput, "TableName">;

/**
 * DynamoDB deletes an item some days after the second its `ttl` names; until then readers leave it out
 * themselves. In the form CloudFormation and UpdateTimeToLive take.
 */
export const dynamoTimeToLive = { AttributeName: "ttl", Enabled: true };
