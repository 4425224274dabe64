import { describe, expect, it } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { MONDAY, subscription, TUESDAY, WEDNESDAY } from "./records.ts";

export function describeDigests(store: () => FindingStore): void {
  describe("digests", () => {
    it("subscribes several channels to a team and several teams to a channel", async () => {
      const one = subscription("C1", "payments");
      const two = subscription("C2", "payments");
      const three = subscription("C1", "search");
      for (const each of [three, two, one]) await store().putSubscription(each);
      await store().putSubscription({ ...one, hour: 8 });
      expect([
        await store().subscriptions(),
        await store().subscriptions({ team: "payments" }),
        await store().subscriptions({ channel: "C1" }),
      ]).toEqual([
        [{ ...one, hour: 8 }, two, three],
        [{ ...one, hour: 8 }, two],
        [{ ...one, hour: 8 }, three],
      ]);
      expect([await store().removeSubscription("C1", "payments"), await store().subscriptions()]).toEqual([
        true,
        [two, three],
      ]);
      expect(await store().removeSubscription("C1", "payments")).toBe(false);
    });

    const W09 = { team: "payments", channel: "C1", isoWeek: "2027-W09" };

    it("gives a digest to one of many who ask at once", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => store().claimDigest(W09, MONDAY)));
      expect(answers.filter((answer) => answer === "claimed")).toHaveLength(1);
      expect(new Set(answers)).toEqual(new Set(["claimed", "already-claimed"]));
    });

    it("says sent for good once confirmed, for that team, channel and week only", async () => {
      await store().claimDigest(W09, MONDAY);
      await store().confirmDigest(W09, MONDAY);
      expect([
        await store().releaseDigest(W09),
        await store().claimDigest(W09, WEDNESDAY),
        await store().claimDigest({ ...W09, isoWeek: "2027-W10" }, WEDNESDAY),
        await store().claimDigest({ ...W09, team: "search" }, WEDNESDAY),
        await store().claimDigest({ ...W09, channel: "C2" }, WEDNESDAY),
      ]).toEqual([false, "sent", "claimed", "claimed", "claimed"]);
    });

    it("says maybe sent of a claim that was not confirmed, until it is released", async () => {
      await store().claimDigest(W09, "2027-03-01T09:00:00Z");
      expect([
        await store().claimDigest(W09, "2027-03-01T09:29:59Z"),
        await store().claimDigest(W09, "2027-03-01T09:30:00Z"),
        await store().claimDigest(W09, WEDNESDAY),
        await store().releaseDigest(W09),
        await store().releaseDigest(W09),
        await store().claimDigest(W09, WEDNESDAY),
      ]).toEqual(["already-claimed", "maybe-sent", "maybe-sent", true, false, "claimed"]);
    });

    it("takes the confirmation of whoever was slow, and none after it", async () => {
      await store().claimDigest(W09, MONDAY);
      expect(await store().claimDigest(W09, TUESDAY)).toBe("maybe-sent");
      await store().confirmDigest(W09, TUESDAY);
      expect(await store().claimDigest(W09, WEDNESDAY)).toBe("sent");
    });
  });
}
