import { DeleteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import { latestItem } from "#src/store/dynamodb-latest.ts";
import { writeAll } from "#src/store/dynamodb-requests.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../model/audits.ts";
import { type LocalDynamo, partSets, startDynalite } from "./dynamodb-local.ts";
import { noise } from "./noise.ts";

const MONDAY = "2027-03-01T09:00:00Z";
const TUESDAY = "2027-03-02T09:00:00Z";

let local: LocalDynamo;
let table: string;
let store: FindingStore;
const now = () => Date.parse("2027-03-04T00:00:00Z");

beforeAll(async () => {
  local = await startDynalite();
});
afterAll(() => local.stop());
beforeEach(async () => {
  table = await local.createTable();
  store = createDynamoStore({ client: local.client, table, now });
});

function auditOf(size: "1 MB of text" | "1 MB that gzip cannot shorten", auditedAt: string): ClusterAudit {
  const findings = Array.from({ length: 700 }, (_, index) => ({
    ...finding("chain-dependents", "warning", `workload ${index}`),
    detail: size === "1 MB of text" ? "It runs iptables -t nat -L. ".repeat(53) : noise(index, 1_500),
  }));
  return audit({ id: "prod", auditedAt, team: "payments", findings });
}

describe("an audit larger than an item may be", () => {
  it.each(["1 MB of text", "1 MB that gzip cannot shorten"] as const)(
    "comes back whole from the latest, the history and the fleet: %s",
    async (size) => {
      const put = auditOf(size, MONDAY);
      expect(JSON.stringify(put).length).toBeGreaterThan(1_000_000);
      const { changes } = await store.putAudit(put);
      expect(changes).toHaveLength(700);
      expect(await store.latest("prod")).toEqual(put);
      expect(await store.history("prod", { limit: 2 })).toEqual([put]);
      expect(await Array.fromAsync(store.latestAll({ team: "payments" }))).toEqual([put]);
      expect(await store.openFindings("prod")).toHaveLength(700);
      expect(await store.changesSince(MONDAY, { team: "payments" })).toEqual(changes);
    },
  );

  it("takes the parts of the one before away, and its own when another was first", async () => {
    const large = auditOf("1 MB that gzip cannot shorten", TUESDAY);
    await store.putAudit(auditOf("1 MB that gzip cannot shorten", MONDAY));
    await store.putAudit(large);
    await Promise.all([store.putAudit(large), store.putAudit(large)]);
    expect(await store.latest("prod")).toEqual(large);
    const { named, there } = partSets(await local.items(table));
    expect(there).toEqual(named);
    // The latest and two in the history.
    expect(there).toHaveLength(3);

    await store.removeCluster("prod");
    expect(partSets(await local.items(table)).there).toHaveLength(2);
  });

  it("may have changed so much that its changes are in parts too", async () => {
    const findings = Array.from({ length: 2_000 }, (_, index) => ({
      ...finding("chain-dependents", "warning", noise(index, 200)),
      title: noise(index + 5_000, 150),
    }));
    const first = await store.putAudit(audit({ id: "prod", auditedAt: MONDAY, team: "payments", findings }));
    const second = await store.putAudit(audit({ id: "prod", auditedAt: TUESDAY, team: "payments" }));
    const changes = [...first.changes, ...second.changes];
    expect(changes).toHaveLength(4_000);
    expect(await store.changesSince(MONDAY)).toEqual(changes);
    expect(await store.changesSince(MONDAY, { team: "payments" })).toEqual(changes);
    expect(await store.changesSince(MONDAY, { clusterId: "prod" })).toEqual(changes);
    const { named, there } = partSets(await local.items(table));
    expect(there).toEqual(named);
  });

  it("is an error that names the cluster when one of its parts is gone, not a shorter audit", async () => {
    await store.putAudit(auditOf("1 MB that gzip cannot shorten", MONDAY));
    const client = DynamoDBDocumentClient.from(local.client);
    for (const { pk, sk } of (await local.items(table)).filter((item) => /^PART#.*#0001$/.test(item.sk))) {
      await client.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
    }
    const unreadable = { code: "store-unavailable", message: expect.stringContaining("an audit of prod") };
    await expect(store.latest("prod")).rejects.toMatchObject(unreadable);
    await expect(store.history("prod", { limit: 1 })).rejects.toMatchObject(unreadable);
    await expect(Array.fromAsync(store.latestAll())).rejects.toMatchObject(unreadable);

    const next = audit({ id: "prod", auditedAt: TUESDAY });
    expect((await store.putAudit(next)).kept).toBe("latest");
    expect(await store.latest("prod")).toEqual(next);
  });
});

describe("a large fleet", () => {
  it("is listed once, in order and in full, over many pages", async () => {
    // Identifiers of 250 characters: an answer of DynamoDB ends at 1 MB, here every 900 index entries.
    const ids = Array.from({ length: 3_000 }, (_, index) => `c${String(index).padStart(249, "0")}`);
    let queries = 0;
    const client = local.connect((command) => {
      if (command === "QueryCommand") queries += 1;
    });
    const fleet = { client: DynamoDBDocumentClient.from(client), name: table, now };
    const items = ids.map((id, index) => {
      const team = index % 2 === 0 ? "payments" : null;
      return latestItem(fleet, { audit: audit({ id, auditedAt: MONDAY, team }), open: [], changes: [] });
    });
    await writeAll(
      fleet,
      (await Promise.all(items)).map((Item) => ({ PutRequest: { Item } })),
    );
    const large = createDynamoStore({ client, table, now });
    expect((await Array.fromAsync(large.latestAll())).map((one) => one.id)).toEqual(ids);
    expect(queries).toBeGreaterThan(2);
    const ofTeam = (await Array.fromAsync(large.latestAll({ team: "payments" }))).map((one) => one.id);
    expect(ofTeam).toEqual(ids.filter((_, index) => index % 2 === 0));
  });

  it("has runs of several pages", async () => {
    await store.startRun("r1", MONDAY);
    const reason = "x".repeat(2_000);
    for (let index = 0; index < 700; index++) {
      await store.markRun("r1", { clusterId: `c${index}`, outcome: "failed", at: MONDAY, reason });
    }
    expect((await store.run("r1"))?.failed).toHaveLength(700);
  });
});

describe("what has expired", () => {
  it("is left out before DynamoDB has deleted it, while the latest audit and decisions stay", async () => {
    const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
    await store.putAudit(put);
    await store.startRun("r1", MONDAY);
    await store.claimDigest({ team: "payments", channel: "C1", isoWeek: "2027-W09" }, MONDAY);
    await store.confirmDigest({ team: "payments", channel: "C1", isoWeek: "2027-W09" }, MONDAY);
    const at = (time: string) =>
      createDynamoStore({ client: local.client, table, now: () => Date.parse(time) });
    const view = async (time: string) => ({
      latest: (await at(time).latest("prod"))?.auditedAt,
      fleet: (await Array.fromAsync(at(time).latestAll())).length,
      history: (await at(time).history("prod", { limit: 5 })).length,
      changes: (await at(time).changesSince(MONDAY)).length,
      changesOfCluster: (await at(time).changesSince(MONDAY, { clusterId: "prod" })).length,
      run: (await at(time).run("r1"))?.id,
    });
    expect([await view("2027-03-05T00:00:00Z"), await view("2029-01-01T00:00:00Z")]).toEqual([
      { latest: MONDAY, fleet: 1, history: 1, changes: 1, changesOfCluster: 1, run: "r1" },
      { latest: MONDAY, fleet: 1, history: 0, changes: 0, changesOfCluster: 0, run: undefined },
    ]);
    const kept = (await local.items(table)).filter((item) => item.ttl === undefined).map((item) => item.sk);
    expect(kept).toEqual(["LATEST"]);
  });

  it("does not keep a cluster out that was removed years ago and is there again", async () => {
    await store.putAudit(audit({ id: "prod", auditedAt: MONDAY }));
    await store.removeCluster("prod");
    const years = createDynamoStore({ client: local.client, table, now: () => Date.parse("2030-01-01") });
    const put = audit({ id: "prod", auditedAt: "2030-01-01T09:00:00Z" });
    expect((await years.putAudit(put)).kept).toBe("latest");
    expect(await Array.fromAsync(years.latestAll())).toEqual([put]);
  });
});
