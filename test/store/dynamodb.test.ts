import { afterAll, beforeAll, describe } from "vitest";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import { describeStore } from "./contract.ts";
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
});
