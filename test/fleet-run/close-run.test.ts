import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeDueRuns } from "#src/fleet-run/close-run.ts";
import type { Metric, Telemetry } from "#src/fleet-run/telemetry.ts";
import type { RunOutcome } from "#src/store/records.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit } from "../model/audits.ts";

const RUN = "2027-03-01";
const STARTED = "2027-03-01T04:00:00.000Z";
const ACCOUNT = "111111111111";
const id = (name: string, region = "eu-west-1", account = ACCOUNT) => `eks:${account}/${region}/${name}`;

describe("closing runs", () => {
  let store: FindingStore;
  let counted: Partial<Record<Metric, number>>;
  let telemetry: Telemetry;

  beforeEach(async () => {
    store = await openSqliteStore(":memory:");
    counted = {};
    telemetry = {
      info() {},
      warn() {},
      error() {},
      count(metric, value) {
        counted[metric] = (counted[metric] ?? 0) + value;
      },
    };
  });
  afterEach(() => store.close());

  const mark = (clusterId: string, outcome: RunOutcome, reason = "") =>
    store.markRun(RUN, { clusterId, outcome, reason, at: STARTED });
  const closeAt = (now: string) => closeDueRuns({ store, runHours: 6, telemetry, now: () => new Date(now) });

  it("waits for what is pending until the run has had its time, and then says what is missing", async () => {
    await store.startRun(RUN, STARTED);
    await mark(ACCOUNT, "done");
    await mark(id("slow"), "expected");
    await mark(id("denied"), "failed", "AccessDenied");
    expect(await closeAt("2027-03-01T09:59:00Z")).toEqual([]);
    expect((await store.run(RUN))?.closedAt).toBeNull();
    expect(await closeAt("2027-03-01T10:00:00Z")).toEqual([
      {
        id: RUN,
        state: "partial",
        accounts: { done: 1, partial: 0, skipped: 0, failed: 0, pending: 0 },
        regions: { done: 0, partial: 0, skipped: 0, failed: 0, pending: 0 },
        clusters: { done: 0, partial: 0, skipped: 0, failed: 1, pending: 1 },
        missing: [`${id("denied")}: AccessDenied`, `${id("slow")}: not heard of`],
      },
    ]);
    expect(counted.RunPartial).toBe(1);
    expect((await store.run(RUN))?.closedAt).toBe("2027-03-01T10:00:00.000Z");
    expect(await closeAt("2027-03-01T11:00:00Z")).toEqual([]);
  });

  it("closes a complete run at once, across midnight too, and adds up the day", async () => {
    await store.startRun(RUN, "2027-03-01T23:30:00Z");
    await store.putAudit(audit({ id: id("shop"), team: "shop", auditedAt: "2027-03-01T23:31:00Z" }));
    await mark(id("shop"), "done");
    expect(await closeAt("2027-03-02T00:30:00Z")).toMatchObject([{ id: RUN, state: "complete" }]);
    expect(counted.RunPartial).toBe(0);
    expect(await store.rollups({ from: "2027-03-02", to: "2027-03-02" })).toMatchObject([
      { clusters: 1, notAudited: 0, modes: { ipvs: 1 }, verdicts: { "1.40": expect.any(Object) } },
    ]);
    expect(await store.rollups({ from: "2027-03-02", to: "2027-03-02", team: "shop" })).toHaveLength(1);
  });

  it("closes runs that were started by hand", async () => {
    await store.startRun("2027-03-01T08", "2027-03-01T08:10:00Z");
    expect(await closeAt("2027-03-01T09:00:00Z")).toMatchObject([{ id: "2027-03-01T08", state: "complete" }]);
  });

  it("takes out clusters that are gone, and only where their account and Region were read to the end", async () => {
    const posted = "posted:111111111111/onprem";
    for (const one of [
      id("here"),
      id("gone"),
      id("unread-region", "us-east-1"),
      id("other-account", "eu-west-1", "222222222222"),
      posted,
    ]) {
      await store.putAudit(audit({ id: one, auditedAt: "2027-02-28T04:00:00Z" }));
    }
    await store.startRun(RUN, STARTED);
    await mark(ACCOUNT, "done");
    await mark(`${ACCOUNT}/eu-west-1`, "done");
    await mark(`${ACCOUNT}/us-east-1`, "skipped", "denied by policy");
    await mark(id("here"), "done");
    await closeAt("2027-03-01T05:00:00Z");
    const left = await Array.fromAsync(store.latestAll());
    expect(left.map((one) => one.id)).toEqual([
      id("here"),
      id("unread-region", "us-east-1"),
      id("other-account", "eu-west-1", "222222222222"),
      posted,
    ]);
  });
});
