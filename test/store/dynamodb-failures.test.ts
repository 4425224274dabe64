import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../model/audits.ts";
import { type LocalDynamo, startDynalite } from "./dynamodb-local.ts";
import { noise } from "./noise.ts";

const MONDAY = "2027-03-01T09:00:00Z";
const TUESDAY = "2027-03-02T09:00:00Z";
const now = () => Date.parse("2027-03-04T00:00:00Z");

let local: LocalDynamo;
let table: string;
let store: FindingStore;

beforeAll(async () => {
  local = await startDynalite();
});
afterAll(() => local.stop());
beforeEach(async () => {
  table = await local.createTable();
  store = createDynamoStore({ client: local.client, table, now });
});

/** A store whose process dies when it is about to write an item of that kind. */
function storeDyingAt(sortKey: string): FindingStore {
  let alive = true;
  const client = local.connect((_, { Item: item }) => {
    if (String(item?.sk).startsWith(sortKey)) alive = false;
    if (!alive) throw new Error("the function was ended");
  });
  return createDynamoStore({ client, table, now });
}

describe("an audit whose storing was interrupted", () => {
  const first = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
  const second = audit({ id: "prod", auditedAt: TUESDAY, findings: [finding("strict-arp", "warning")] });
  const changes = [
    [MONDAY, "opened", "proxy-mode"],
    [TUESDAY, "opened", "strict-arp"],
    [TUESDAY, "closed", "proxy-mode"],
  ];
  const changesNow = async () =>
    (await store.changesSince(MONDAY)).map((one) => [one.at, one.change, one.check]);

  it.each([
    ["HISTORY#2027-03-02", "latest"],
    ["LATEST", "latest"],
    ["CHANGE#2027-03-02", "duplicate"],
  ])("before %s is finished when its message is delivered again", async (sortKey, kept) => {
    await store.putAudit(first);
    await expect(storeDyingAt(sortKey).putAudit(second)).rejects.toMatchObject({
      code: "store-unavailable",
    });
    expect((await store.putAudit(second)).kept).toBe(kept);
    expect(await store.latest("prod")).toEqual(second);
    expect(await changesNow()).toEqual(changes);
    expect((await store.putAudit(second)).kept).toBe("duplicate");
    expect(await changesNow()).toEqual(changes);
  });

  it.each([
    ["the cluster's next audit", () => store.putAudit(second), changes],
    ["its removal", () => store.removeCluster("prod"), changes.slice(0, 1)],
  ])("before CHANGE has its changes stored by %s", async (_, next, expected) => {
    await expect(storeDyingAt("CHANGE").putAudit(first)).rejects.toThrow();
    await next();
    expect(await changesNow()).toEqual(expected);
  });
});

describe("a write whose answer is lost", () => {
  it.each(["HISTORY", "LATEST", "CHANGE", "WEEK"])(
    "and that the SDK repeats was done once: %s",
    async (sortKey) => {
      const client = local.connect(() => {});
      let lost = 0;
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const result = await next(args);
            const body = new TextDecoder().decode((args.request as { body: Uint8Array }).body);
            if (lost > 0 || commandName !== "PutItemCommand" || !body.includes(`"sk":{"S":"${sortKey}`))
              return result;
            lost += 1;
            throw Object.assign(new Error("socket hang up"), { name: "TimeoutError" });
          },
        { step: "finalizeRequest", priority: "low" },
      );
      const unlucky = createDynamoStore({ client, table, now });
      const findings = Array.from({ length: 400 }, (_, index) => ({
        ...finding("chain-dependents", "warning", noise(index, 800)),
        title: noise(index + 1_000, 150),
        detail: noise(index + 2_000, 1_500),
      }));
      const put = audit({ id: "prod", auditedAt: MONDAY, findings });
      const { kept, changes } = await unlucky.putAudit(put);
      const claimed = await unlucky.claimDigest(
        { team: "payments", channel: "C1", isoWeek: "2027-W09" },
        MONDAY,
      );
      expect([lost, kept, changes.length, claimed]).toEqual([1, "latest", 400, "claimed"]);
      expect(await store.latest("prod")).toEqual(put);
      expect(await store.history("prod", { limit: 2 })).toEqual([put]);
      expect(await store.changesSince(MONDAY)).toEqual(changes);
    },
  );
});

describe("a busy table", () => {
  /** A client that gets each batch done one request at a time, as DynamoDB may when it is short of capacity. */
  function busyClient(): DynamoDBClient {
    const client = local.connect(() => {});
    client.middlewareStack.add(
      (next) => async (args) => {
        if (!("RequestItems" in args.input) || args.input.RequestItems === undefined) return next(args);
        const [name, requests] = Object.entries(args.input.RequestItems)[0] ?? [];
        if (name === undefined || requests === undefined) return next(args);
        if (Array.isArray(requests)) {
          const [one, ...rest] = requests;
          const input = { ...args.input, RequestItems: { [name]: [one] } };
          const result = await next({ ...args, input } as typeof args);
          const left = rest.length === 0 ? {} : { [name]: rest };
          return { ...result, output: { ...result.output, UnprocessedItems: left } };
        }
        const { Keys: [one, ...rest] = [] } = requests as { Keys?: unknown[] };
        const input = { ...args.input, RequestItems: { [name]: { Keys: [one] } } };
        const result = await next({ ...args, input } as typeof args);
        const left = rest.length === 0 ? {} : { [name]: { Keys: rest } };
        return { ...result, output: { ...result.output, UnprocessedKeys: left } };
      },
      { step: "initialize" },
    );
    return client;
  }

  it("is asked again for what it left over of a batch", async () => {
    const findings = Array.from({ length: 500 }, (_, index) => ({
      ...finding("chain-dependents", "warning", `workload ${index}`),
      detail: noise(index, 1_500),
    }));
    const busy = createDynamoStore({ client: busyClient(), table, now });
    const puts = ["a", "b", "c"].map((id) => audit({ id, auditedAt: MONDAY, findings }));
    for (const put of puts) await busy.putAudit(put);
    expect(await Array.fromAsync(busy.latestAll())).toEqual(puts);
    expect(await Array.fromAsync(store.latestAll())).toEqual(puts);
  });
});

describe("a table that cannot be used", () => {
  it("is an error that names the table when there is none", async () => {
    const missing = createDynamoStore({ client: local.client, table: "not-deployed", now });
    const unavailable = {
      code: "store-unavailable",
      message: expect.stringMatching(/not-deployed is not available: there is no such table/),
    };
    await expect(missing.latest("prod")).rejects.toMatchObject(unavailable);
    await expect(missing.putAudit(audit({ id: "prod", auditedAt: MONDAY }))).rejects.toMatchObject(
      unavailable,
    );
    await expect(Array.fromAsync(missing.latestAll())).rejects.toMatchObject(unavailable);
  });

  it("is an error that names the table when nothing answers", async () => {
    const client = new DynamoDBClient({
      endpoint: "http://127.0.0.1:9",
      region: "eu-west-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      maxAttempts: 1,
    });
    await expect(createDynamoStore({ client, table, now }).subscriptions()).rejects.toMatchObject({
      code: "store-unavailable",
      message: `The DynamoDB table ${table} is not available: it cannot be reached: check the network and the region.`,
    });
    client.destroy();
  });

  it.each(["{}", "nothing", 7])(
    "is an error that names the cluster for an audit that is %j",
    async (body) => {
      await store.putAudit(audit({ id: "prod", auditedAt: MONDAY }));
      await DynamoDBDocumentClient.from(local.client).send(
        new UpdateCommand({
          TableName: table,
          Key: { pk: "CLUSTER#prod", sk: "LATEST" },
          UpdateExpression: "SET body = :body",
          ExpressionAttributeValues: { ":body": body },
        }),
      );
      await expect(store.latest("prod")).rejects.toMatchObject({
        code: "store-unavailable",
        message: expect.stringContaining("an audit of prod"),
      });
      const next = audit({ id: "prod", auditedAt: TUESDAY });
      await store.putAudit(next);
      expect(await store.latest("prod")).toEqual(next);
    },
  );
});
