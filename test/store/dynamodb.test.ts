import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import { dynamoTimeToLive } from "#src/store/dynamodb-table.ts";
import { describeStore } from "./contract/contract.ts";
import { hasMoto, type LocalDynamo, startDynalite, startMoto } from "./dynamodb-local.ts";

/** The contract's audits are of this week; nothing of it has expired. */
const now = () => Date.parse("2027-03-04T00:00:00Z");

describe("DynamoDB on dynalite", () => {
  let local: LocalDynamo;
  beforeAll(async () => {
    local = await startDynalite();
  });
  afterAll(() => local.stop());

  describeStore("DynamoDB on dynalite", async () =>
    createDynamoStore({ client: local.client, table: await local.createTable(), now }),
  );
});

describe.skipIf(!hasMoto())("DynamoDB on moto (skipped without moto_server on the PATH)", () => {
  let local: LocalDynamo;
  beforeAll(async () => {
    local = await startMoto();
  }, 90_000);
  afterAll(() => local.stop());

  describeStore("DynamoDB on moto", async () =>
    createDynamoStore({ client: local.client, table: await local.createTable(), now }),
  );

  it("takes the table's time to live as it is defined", async () => {
    const TableName = await local.createTable();
    await local.client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: dynamoTimeToLive }),
    );
    const answer = await local.client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(answer.TimeToLiveDescription).toEqual({ AttributeName: "ttl", TimeToLiveStatus: "ENABLED" });
  });
});
