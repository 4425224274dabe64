import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../model/audits.ts";
import { type Input, type LocalDynamo, partSets, startDynalite } from "./dynamodb-local.ts";
import { noise } from "./noise.ts";

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

/** A store to which `meanwhile` happens just ahead of the first request that `when` describes. */
function storeInterruptedBy(
  when: (input: Input) => boolean,
  meanwhile: () => Promise<unknown>,
): FindingStore {
  let happened = false;
  const client = local.connect(async (_, input) => {
    if (happened || !when(input)) return;
    happened = true;
    await meanwhile();
  });
  return createDynamoStore({ client, table, now });
}

const writesLatest = (input: Input) => input.Item?.sk === "LATEST";
const readsParts = (input: Input) => String(input.ExpressionAttributeValues?.[":parts"]).startsWith("PART#");

/** Too large for one item. */
function largeAudit(day: number): ClusterAudit {
  const findings = Array.from({ length: 400 }, (_, index) => ({
    ...finding("chain-dependents", "warning", `workload ${index}`),
    detail: noise(day * 1_000 + index, 1_500),
  }));
  return audit({ id: "prod", auditedAt: `2027-03-0${day}T09:00:00Z`, team: "payments", findings });
}

describe("a newer audit that is stored while another is", () => {
  const [monday, tuesday, wednesday] = [1, 2, 3].map(largeAudit) as [
    ClusterAudit,
    ClusterAudit,
    ClusterAudit,
  ];

  it.each([
    ["no audit before", []],
    ["an audit before", [monday]],
  ])("stays the latest, and the other goes into the history: %s", async (_, before) => {
    for (const one of before) await store.putAudit(one);
    const slow = storeInterruptedBy(writesLatest, () => store.putAudit(wednesday));
    expect(await slow.putAudit(tuesday)).toEqual({ kept: "history", changes: [] });
    expect(await store.latest("prod")).toEqual(wednesday);
    expect(await store.history("prod", { limit: 9 })).toEqual([wednesday, tuesday, ...before]);
    expect(await store.changesSince("2027-03-01T00:00:00Z")).toHaveLength(400);
    const { named, there } = partSets(await local.items(table));
    expect(there).toEqual(named);
  });

  it("is what a later one is compared with", async () => {
    const slow = storeInterruptedBy(writesLatest, () => store.putAudit(tuesday));
    expect(await slow.putAudit(wednesday)).toEqual({ kept: "latest", changes: [] });
    expect((await store.openFindings("prod"))[0]).toMatchObject({
      since: tuesday.auditedAt,
      seenAt: wednesday.auditedAt,
    });
  });

  it.each<[string, (reader: FindingStore) => Promise<unknown>]>([
    ["a cluster", (reader) => reader.latest("prod")],
    ["the fleet", async (reader) => (await Array.fromAsync(reader.latestAll()))[0]],
  ])("is what a reader gets whose parts it has taken away: %s", async (_, read) => {
    await store.putAudit(tuesday);
    const reader = storeInterruptedBy(readsParts, () => store.putAudit(wednesday));
    expect(await read(reader)).toEqual(wednesday);
  });

  it("is of a new cluster when the cluster is removed meanwhile", async () => {
    await store.putAudit(tuesday);
    const slow = storeInterruptedBy(writesLatest, () => store.removeCluster("prod"));
    const { changes } = await slow.putAudit(wednesday);
    expect([changes.length, changes.every((one) => one.firstAudit)]).toEqual([400, true]);
  });

  it("is not listed under the team that its cluster has just left", async () => {
    await store.putAudit(tuesday);
    const moved = { ...wednesday, team: "search" };
    const fetches = (input: Input) => input.RequestItems !== undefined;
    const reader = storeInterruptedBy(fetches, () => store.putAudit(moved));
    expect(await Array.fromAsync(reader.latestAll({ team: "payments" }))).toEqual([]);
    expect(await Array.fromAsync(reader.latestAll({ team: "search" }))).toEqual([moved]);
  });
});
