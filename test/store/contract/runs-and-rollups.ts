import { describe, expect, it } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { MONDAY, rollup, TUESDAY, WEDNESDAY } from "./records.ts";

export function describeRuns(store: () => FindingStore): void {
  describe("runs and roll-ups", () => {
    it("knows which clusters of a run are pending, done and failed", async () => {
      await store().startRun("r1", MONDAY);
      for (const clusterId of ["a", "b", "c", "d", "e"]) {
        await store().markRun("r1", { clusterId, outcome: "expected", at: MONDAY });
      }
      await store().markRun("r1", { clusterId: "a", outcome: "done", at: MONDAY });
      await store().markRun("r1", { clusterId: "b", outcome: "failed", at: MONDAY, reason: "timeout" });
      await store().markRun("r1", { clusterId: "d", outcome: "partial", at: MONDAY, reason: "private" });
      await store().markRun("r1", { clusterId: "e", outcome: "skipped", at: MONDAY, reason: "deleted" });
      expect(await store().run("r1")).toEqual({
        id: "r1",
        startedAt: new Date(MONDAY).toISOString(),
        closedAt: null,
        pending: ["c"],
        done: ["a"],
        partial: [{ clusterId: "d", reason: "private" }],
        skipped: [{ clusterId: "e", reason: "deleted" }],
        failed: [{ clusterId: "b", reason: "timeout" }],
      });
      expect(await store().run("r2")).toBeUndefined();
    });

    it.each([
      [["done", "expected"], "done"],
      [["done", "failed"], "done"],
      [["failed", "done"], "done"],
      [["failed", "expected"], "failed"],
      [["done", "done"], "done"],
      [["done", "partial"], "done"],
      [["partial", "failed", "done"], "partial"],
      [["skipped", "failed"], "skipped"],
    ] as const)("ends up with one answer for repeated and late messages: %j", async (outcomes, end) => {
      await store().startRun("r1", MONDAY);
      for (const outcome of outcomes) await store().markRun("r1", { clusterId: "a", outcome, at: MONDAY });
      const run = await store().run("r1");
      const endings = { partial: [], skipped: [], failed: [] };
      expect(run).toMatchObject({
        done: end === "done" ? ["a"] : [],
        ...endings,
        ...(end === "done" ? {} : { [end]: [{ clusterId: "a", reason: "" }] }),
        pending: [],
      });
    });

    it("begins a cluster once in a run, and anew after a failure", async () => {
      await store().startRun("r1", MONDAY);
      await store().markRun("r1", { clusterId: "a", outcome: "expected", at: MONDAY });
      const begun = { outcome: "expected", begunAt: new Date(TUESDAY).toISOString() };
      expect(await store().beginInRun("r1", "a", TUESDAY)).toEqual(begun);
      expect(await store().beginInRun("r1", "a", WEDNESDAY)).toEqual(begun);
      expect(await store().beginInRun("r1", "b", TUESDAY)).toEqual(begun);
      expect(await store().run("r1")).toMatchObject({ pending: ["a", "b"] });

      await store().markRun("r1", { clusterId: "a", outcome: "failed", at: WEDNESDAY });
      expect(await store().beginInRun("r1", "a", WEDNESDAY)).toEqual({
        outcome: "failed",
        begunAt: new Date(WEDNESDAY).toISOString(),
      });
      await store().markRun("r1", { clusterId: "b", outcome: "done", at: WEDNESDAY });
      expect(await store().beginInRun("r1", "b", WEDNESDAY)).toMatchObject({ outcome: "done" });
    });

    it("keeps the first start and the first end of a run", async () => {
      await store().startRun("r1", MONDAY);
      await store().startRun("r1", TUESDAY);
      await store().closeRun("r1", TUESDAY);
      await store().closeRun("r1", WEDNESDAY);
      expect(await store().run("r1")).toMatchObject({
        startedAt: new Date(MONDAY).toISOString(),
        closedAt: new Date(TUESDAY).toISOString(),
      });
    });

    it("gives the roll-ups between two days, of the fleet or of a team, the last put for each day", async () => {
      await store().putRollup(rollup("2027-03-02", null, 9));
      await store().putRollup(rollup("2027-03-01", null, 10));
      await store().putRollup(rollup("2027-03-02", null, 8));
      await store().putRollup(rollup("2027-03-03", null, 7));
      await store().putRollup(rollup("2027-03-02", "payments", 3));
      expect([
        await store().rollups({ from: "2027-03-01", to: "2027-03-02" }),
        await store().rollups({ from: "2027-03-01", to: "2027-03-31", team: "payments" }),
      ]).toEqual([
        [rollup("2027-03-01", null, 10), rollup("2027-03-02", null, 8)],
        [rollup("2027-03-02", "payments", 3)],
      ]);
    });
  });
}
