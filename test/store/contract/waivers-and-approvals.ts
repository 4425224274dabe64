import { describe, expect, it } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { approval, TUESDAY, WEDNESDAY, waiver } from "./records.ts";

export function describeWaivers(store: () => FindingStore): void {
  describe("waivers and approvals", () => {
    it("lists waivers by expiry, for one cluster or all", async () => {
      const late = waiver("1", { expiresAt: "2027-04-01T00:00:00Z" });
      const soon = waiver("2");
      const other = waiver("1", { clusterId: "dev", expiresAt: "2027-03-20T00:00:00Z" });
      for (const one of [late, soon, other]) await store().putWaiver(one);
      expect([await store().waivers(), await store().waivers({ clusterId: "prod" })]).toEqual([
        [soon, other, late],
        [soon, late],
      ]);
    });

    it("leaves out what has expired when asked for what is active, and only then", async () => {
      await store().putWaiver(waiver("1"));
      await store().putApproval(approval("1"));
      const counts = async (activeAt?: string) => {
        const filter = activeAt === undefined ? {} : { activeAt };
        return [(await store().waivers(filter)).length, (await store().approvals(filter)).length];
      };
      expect([await counts(TUESDAY), await counts(WEDNESDAY), await counts()]).toEqual([
        [1, 1],
        [0, 0],
        [1, 1],
      ]);
    });

    it("replaces a waiver put again and removes one, saying whether it was there", async () => {
      await store().putWaiver(waiver("1"));
      await store().putWaiver(waiver("1", { owner: "li" }));
      expect((await store().waivers()).map((one) => one.owner)).toEqual(["li"]);
      expect([
        await store().removeWaiver("dev", "1"),
        await store().removeWaiver("prod", "1"),
        await store().removeWaiver("prod", "1"),
        await store().waivers(),
      ]).toEqual([false, true, false, []]);
    });

    it("lists approvals newest first, for one cluster or all", async () => {
      const first = approval("1");
      const second = approval("2", { createdAt: TUESDAY, overrideReason: "Incident 7" });
      const other = approval("1", { clusterId: "dev", createdAt: WEDNESDAY });
      for (const one of [first, second, other]) await store().putApproval(one);
      expect([await store().approvals(), await store().approvals({ clusterId: "prod" })]).toEqual([
        [other, second, first],
        [second, first],
      ]);
    });

    it("refuses a waiver without a reason", async () => {
      await expect(store().putWaiver(waiver("1", { reason: "" }))).rejects.toThrow();
      expect(await store().waivers()).toEqual([]);
    });
  });
}
