import { describe, expect, it } from "vitest";
import type { ClusterFilter, FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../../model/audits.ts";
import { MONDAY, subscription, TUESDAY, WEDNESDAY } from "./records.ts";

export function describeAudits(store: () => FindingStore): void {
  describe("audits", () => {
    it("gives back the latest audit as it was put, and undefined for a cluster never audited", async () => {
      const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
      await store().putAudit(put);
      expect([await store().latest("prod"), await store().latest("other")]).toEqual([put, undefined]);
    });

    it("keeps the newer audit as the latest when an older one arrives late, and both in the history", async () => {
      const newer = audit({ id: "prod", auditedAt: TUESDAY, findings: [finding("proxy-mode", "warning")] });
      const older = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "blocker")] });
      await store().putAudit(newer);
      expect(await store().putAudit(older)).toEqual({ kept: "history", changes: [] });
      expect(await store().latest("prod")).toEqual(newer);
      expect(await store().history("prod", { limit: 10 })).toEqual([newer, older]);
      expect(await store().openFindings("prod")).toMatchObject([{ check: "proxy-mode" }]);
    });

    it.each([
      ["fractions of a second", "2027-03-01T09:00:00.500Z", "2027-03-01T09:00:00Z"],
      ["another offset", "2027-03-01T09:30:00Z", "2027-03-01T10:00:00+02:00"],
    ])("compares instants, not their spelling: %s", async (_, later, earlier) => {
      await store().putAudit(audit({ id: "prod", auditedAt: later }));
      expect((await store().putAudit(audit({ id: "prod", auditedAt: earlier }))).kept).toBe("history");
      expect((await store().latest("prod"))?.auditedAt).toBe(later);
    });

    it("refuses an audit whose time is no time", async () => {
      await expect(store().putAudit(audit({ id: "prod", auditedAt: "yesterday" }))).rejects.toMatchObject({
        code: "usage",
      });
    });

    it("takes the same audit twice as one, so that a repeated message changes nothing", async () => {
      const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
      await store().putAudit(put);
      expect(await store().putAudit(put)).toEqual({ kept: "duplicate", changes: [] });
      expect(await store().history("prod", { limit: 10 })).toEqual([put]);
      expect(await store().changesSince(MONDAY)).toHaveLength(1);
    });

    it("limits the history to the newest, and to those since an instant", async () => {
      for (const auditedAt of [MONDAY, TUESDAY, WEDNESDAY])
        await store().putAudit(audit({ id: "prod", auditedAt }));
      const times = async (options: { limit: number; since?: string }) =>
        (await store().history("prod", options)).map((one) => one.auditedAt);
      expect([await times({ limit: 2 }), await times({ limit: 9, since: WEDNESDAY })]).toEqual([
        [WEDNESDAY, TUESDAY],
        [WEDNESDAY],
      ]);
    });

    it("keeps the clusters of one name in two accounts apart", async () => {
      const one = audit({ id: "eks:111122223333/eu-west-1/payments", name: "payments", auditedAt: MONDAY });
      const two = audit({ id: "eks:444455556666/eu-west-1/payments", name: "payments", auditedAt: MONDAY });
      await store().putAudit(two);
      await store().putAudit(one);
      expect(await Array.fromAsync(store().latestAll())).toEqual([one, two]);
    });

    const fleet = [
      audit({ id: "a", auditedAt: MONDAY, team: "payments", environment: "prod", account: "111122223333" }),
      audit({ id: "b", auditedAt: MONDAY, team: "payments", environment: "dev", region: "eu-west-1" }),
      audit({ id: "c", auditedAt: MONDAY, provider: "k3s" }),
    ];
    it.each<[ClusterFilter, string[]]>([
      [{}, ["a", "b", "c"]],
      [{ team: "payments" }, ["a", "b"]],
      [{ team: "payments", environment: "dev" }, ["b"]],
      [{ team: null }, ["c"]],
      [{ provider: "k3s" }, ["c"]],
      [{ account: "111122223333" }, ["a"]],
      [{ region: "eu-west-1" }, ["b"]],
      [{ mode: "ipvs" }, ["a", "b", "c"]],
      [{ mode: "nftables" }, []],
      [{ team: "pay" }, []],
    ])("finds the clusters of %j", async (filter, ids) => {
      for (const one of fleet) await store().putAudit(one);
      expect((await Array.fromAsync(store().latestAll(filter))).map((one) => one.id)).toEqual(ids);
    });

    it("filters by what the latest audit says, not by an earlier team", async () => {
      await store().putAudit(audit({ id: "a", auditedAt: MONDAY, team: "payments" }));
      await store().putAudit(audit({ id: "a", auditedAt: TUESDAY, team: "search" }));
      expect(await Array.fromAsync(store().latestAll({ team: "payments" }))).toEqual([]);
    });

    it("goes through a fleet of several pages once, whatever is stored meanwhile", async () => {
      const ids = Array.from({ length: 450 }, (_, index) => `c${String(index).padStart(3, "0")}`);
      for (const id of ids) await store().putAudit(audit({ id, auditedAt: MONDAY }));
      const seen: string[] = [];
      for await (const one of store().latestAll()) {
        seen.push(one.id);
        if (seen.length === 100) await store().putAudit(audit({ id: "c000", auditedAt: TUESDAY }));
      }
      expect(seen).toEqual(ids);
    });

    it("takes a removed cluster out of the fleet and keeps its history", async () => {
      const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
      await store().putAudit(put);
      await store().removeCluster("prod");
      await store().removeCluster("never-there");
      expect({
        latest: await store().latest("prod"),
        fleet: await Array.fromAsync(store().latestAll()),
        open: await store().openFindings("prod"),
        history: await store().history("prod", { limit: 5 }),
      }).toEqual({ latest: undefined, fleet: [], open: [], history: [put] });
    });
  });

  it("does not bring a removed cluster back when its last message is delivered again", async () => {
    const put = audit({ id: "prod", auditedAt: MONDAY });
    await store().putAudit(put);
    await store().removeCluster("prod");
    expect([(await store().putAudit(put)).kept, await store().latest("prod")]).toEqual([
      "duplicate",
      undefined,
    ]);

    const back = audit({ id: "prod", auditedAt: TUESDAY, findings: [finding("proxy-mode", "warning")] });
    expect(await store().putAudit(back)).toMatchObject({ kept: "latest", changes: [{ firstAudit: true }] });
    expect(await store().latest("prod")).toEqual(back);
  });

  it("keeps names apart whatever characters they have", async () => {
    const names = ["a", "a#b", "a%23b", "a/b", "a b", "LATEST", "ünïcode", "'; --", "a\n#HISTORY"];
    for (const id of names) await store().putAudit(audit({ id, auditedAt: MONDAY, team: id }));
    await store().putSubscription(subscription("c", "a#b"));
    await store().putSubscription(subscription("b#c", "a"));
    const each = names.map(async (id) => ({
      latest: (await store().latest(id))?.id,
      history: (await store().history(id, { limit: 9 })).map((one) => one.id),
      team: (await Array.fromAsync(store().latestAll({ team: id }))).map((one) => one.id),
    }));
    expect(await Promise.all(each)).toEqual(names.map((id) => ({ latest: id, history: [id], team: [id] })));
    expect((await store().subscriptions()).map((one) => [one.team, one.channel])).toEqual([
      ["a", "b#c"],
      ["a#b", "c"],
    ]);
  });

  it("makes the newest of many audits that come at once the latest, and opens each finding once", async () => {
    const audits = Array.from({ length: 12 }, (_, hour) =>
      audit({
        id: "prod",
        auditedAt: `2027-03-01T${String(hour + 10)}:00:00Z`,
        findings: [finding("proxy-mode", "warning")],
      }),
    );
    const results = await Promise.all(audits.map((one) => store().putAudit(one)));
    expect(await store().latest("prod")).toEqual(audits.at(-1));
    expect(await store().history("prod", { limit: 50 })).toEqual(audits.toReversed());
    const changes = await store().changesSince(MONDAY);
    expect(changes.map((one) => one.change)).toEqual(["opened"]);
    expect(results.flatMap((result) => result.changes)).toEqual(changes);
  });
}
