import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import type { Rollup, Subscription } from "#src/store/records.ts";
import type { ClusterFilter, FindingStore } from "#src/store/store.ts";
import { all, audit, finding } from "./audits.ts";

const MONDAY = "2027-03-01T09:00:00Z";
const TUESDAY = "2027-03-02T09:00:00Z";
const WEDNESDAY = "2027-03-03T09:00:00Z";

function waiver(id: string, with_: Partial<Waiver> = {}): Waiver {
  return {
    id,
    clusterId: "prod",
    check: "proxy-mode",
    accepts: "finding",
    fingerprints: ["proxy-mode/cluster"],
    reason: "Moves with the March maintenance",
    ticket: "NET-12",
    owner: "ana",
    createdAt: MONDAY,
    expiresAt: WEDNESDAY,
    ...with_,
  };
}

function approval(id: string, with_: Partial<Approval> = {}): Approval {
  return {
    id,
    clusterId: "prod",
    target: "1.40",
    auditHash: "b2c1",
    verdict: "clear",
    requestedBy: null,
    approvedBy: "ravi",
    overrideReason: null,
    createdAt: MONDAY,
    expiresAt: WEDNESDAY,
    ...with_,
  };
}

function subscription(channel: string, team: string): Subscription {
  return {
    channel,
    team,
    timeZone: "Europe/Berlin",
    weekday: 1,
    hour: 9,
    createdBy: "ana",
    createdAt: MONDAY,
  };
}

function rollup(date: string, team: string | null, clusters: number): Rollup {
  return {
    date,
    team,
    clusters,
    notAudited: 1,
    modes: { ipvs: clusters - 1, unknown: 1 },
    verdicts: { "1.40": { blocked: clusters - 1, incomplete: 1 } },
  };
}

/** What every `FindingStore` keeps to. `open` gives an empty store each time. */
export function describeStore(name: string, open: () => Promise<FindingStore>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: FindingStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    describe("audits", () => {
      it("gives back the latest audit as it was put, and undefined for a cluster never audited", async () => {
        const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
        await store.putAudit(put);
        expect([await store.latest("prod"), await store.latest("other")]).toEqual([put, undefined]);
      });

      it("keeps the newer audit as the latest when an older one arrives late, and both in the history", async () => {
        const newer = audit({ id: "prod", auditedAt: TUESDAY, findings: [finding("proxy-mode", "warning")] });
        const older = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "blocker")] });
        await store.putAudit(newer);
        expect(await store.putAudit(older)).toEqual({ kept: "history", changes: [] });
        expect(await store.latest("prod")).toEqual(newer);
        expect(await store.history("prod", { limit: 10 })).toEqual([newer, older]);
        expect(await store.openFindings("prod")).toMatchObject([{ check: "proxy-mode" }]);
      });

      it.each([
        ["fractions of a second", "2027-03-01T09:00:00.500Z", "2027-03-01T09:00:00Z"],
        ["another offset", "2027-03-01T09:30:00Z", "2027-03-01T10:00:00+02:00"],
      ])("compares instants, not their spelling: %s", async (_, later, earlier) => {
        await store.putAudit(audit({ id: "prod", auditedAt: later }));
        expect((await store.putAudit(audit({ id: "prod", auditedAt: earlier }))).kept).toBe("history");
        expect((await store.latest("prod"))?.auditedAt).toBe(later);
      });

      it("refuses an audit whose time is no time", async () => {
        await expect(store.putAudit(audit({ id: "prod", auditedAt: "yesterday" }))).rejects.toMatchObject({
          code: "usage",
        });
      });

      it("takes the same audit twice as one, so that a repeated message changes nothing", async () => {
        const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
        await store.putAudit(put);
        expect(await store.putAudit(put)).toEqual({ kept: "duplicate", changes: [] });
        expect(await store.history("prod", { limit: 10 })).toEqual([put]);
        expect(await store.changesSince(MONDAY)).toHaveLength(1);
      });

      it("limits the history to the newest, and to those since an instant", async () => {
        for (const auditedAt of [MONDAY, TUESDAY, WEDNESDAY])
          await store.putAudit(audit({ id: "prod", auditedAt }));
        const times = async (options: { limit: number; since?: string }) =>
          (await store.history("prod", options)).map((one) => one.auditedAt);
        expect([await times({ limit: 2 }), await times({ limit: 9, since: WEDNESDAY })]).toEqual([
          [WEDNESDAY, TUESDAY],
          [WEDNESDAY],
        ]);
      });

      it("keeps the clusters of one name in two accounts apart", async () => {
        const one = audit({ id: "eks:111122223333/eu-west-1/payments", name: "payments", auditedAt: MONDAY });
        const two = audit({ id: "eks:444455556666/eu-west-1/payments", name: "payments", auditedAt: MONDAY });
        await store.putAudit(two);
        await store.putAudit(one);
        expect(await all(store.latestAll())).toEqual([one, two]);
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
        for (const one of fleet) await store.putAudit(one);
        expect((await all(store.latestAll(filter))).map((one) => one.id)).toEqual(ids);
      });

      it("filters by what the latest audit says, not by an earlier team", async () => {
        await store.putAudit(audit({ id: "a", auditedAt: MONDAY, team: "payments" }));
        await store.putAudit(audit({ id: "a", auditedAt: TUESDAY, team: "search" }));
        expect(await all(store.latestAll({ team: "payments" }))).toEqual([]);
      });

      it("goes through a fleet of several pages once, whatever is stored meanwhile", async () => {
        const ids = Array.from({ length: 450 }, (_, index) => `c${String(index).padStart(3, "0")}`);
        for (const id of ids) await store.putAudit(audit({ id, auditedAt: MONDAY }));
        const seen: string[] = [];
        for await (const one of store.latestAll()) {
          seen.push(one.id);
          if (seen.length === 100) await store.putAudit(audit({ id: "c000", auditedAt: TUESDAY }));
        }
        expect(seen).toEqual(ids);
      });

      it("takes a removed cluster out of the fleet and keeps its history", async () => {
        const put = audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "warning")] });
        await store.putAudit(put);
        await store.removeCluster("prod");
        await store.removeCluster("never-there");
        expect({
          latest: await store.latest("prod"),
          fleet: await all(store.latestAll()),
          open: await store.openFindings("prod"),
          history: await store.history("prod", { limit: 5 }),
        }).toEqual({ latest: undefined, fleet: [], open: [], history: [put] });
      });
    });

    it("does not bring a removed cluster back when its last message is delivered again", async () => {
      const put = audit({ id: "prod", auditedAt: MONDAY });
      await store.putAudit(put);
      await store.removeCluster("prod");
      expect([(await store.putAudit(put)).kept, await store.latest("prod")]).toEqual([
        "duplicate",
        undefined,
      ]);

      const back = audit({ id: "prod", auditedAt: TUESDAY, findings: [finding("proxy-mode", "warning")] });
      expect(await store.putAudit(back)).toMatchObject({ kept: "latest", changes: [{ firstAudit: true }] });
      expect(await store.latest("prod")).toEqual(back);
    });

    it("keeps names apart whatever characters they have", async () => {
      const names = ["a", "a#b", "a%23b", "a/b", "a b", "LATEST", "ünïcode", "'; --", "a\n#HISTORY"];
      for (const id of names) await store.putAudit(audit({ id, auditedAt: MONDAY, team: id }));
      await store.putSubscription(subscription("c", "a#b"));
      await store.putSubscription(subscription("b#c", "a"));
      const each = names.map(async (id) => ({
        latest: (await store.latest(id))?.id,
        history: (await store.history(id, { limit: 9 })).map((one) => one.id),
        team: (await all(store.latestAll({ team: id }))).map((one) => one.id),
      }));
      expect(await Promise.all(each)).toEqual(names.map((id) => ({ latest: id, history: [id], team: [id] })));
      expect((await store.subscriptions()).map((one) => [one.team, one.channel])).toEqual([
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
      const results = await Promise.all(audits.map((one) => store.putAudit(one)));
      expect(await store.latest("prod")).toEqual(audits.at(-1));
      expect(await store.history("prod", { limit: 50 })).toEqual(audits.toReversed());
      const changes = await store.changesSince(MONDAY);
      expect(changes.map((one) => one.change)).toEqual(["opened"]);
      expect(results.flatMap((result) => result.changes)).toEqual(changes);
    });

    describe("finding changes", () => {
      it("records what the first audit opens, and neither passes nor information", async () => {
        const put = audit({
          id: "prod",
          auditedAt: MONDAY,
          team: "payments",
          findings: [
            finding("proxy-mode", "blocker"),
            finding("node-kernel", "unknown"),
            finding("host-firewall", "info"),
            finding("ipvs-gate", "pass"),
          ],
        });
        const change = {
          about: "upgrade",
          clusterId: "prod",
          provider: "eks",
          team: "payments",
          environment: null,
          change: "opened",
          at: MONDAY,
          firstAudit: true,
        };
        const changes = [
          {
            ...change,
            check: "proxy-mode",
            status: "blocker",
            fingerprint: "proxy-mode/cluster",
            title: "proxy-mode: cluster",
          },
          {
            ...change,
            check: "node-kernel",
            status: "unknown",
            fingerprint: "node-kernel/cluster",
            title: "node-kernel: cluster",
          },
        ];
        expect(await store.putAudit(put)).toEqual({ kept: "latest", changes });
        expect(await store.changesSince(MONDAY)).toEqual(changes);
      });

      it("records what later audits open and close, and keeps since when a finding is open", async () => {
        await store.putAudit(
          audit({
            id: "prod",
            auditedAt: MONDAY,
            findings: [finding("proxy-mode", "warning"), finding("node-kernel", "warning")],
          }),
        );
        await store.putAudit(
          audit({
            id: "prod",
            auditedAt: TUESDAY,
            findings: [
              finding("proxy-mode", "blocker"),
              finding("node-kernel", "pass", "all pools"),
              finding("strict-arp", "warning"),
            ],
          }),
        );
        const summary = (await store.changesSince(TUESDAY)).map((one) => [
          one.change,
          one.check,
          one.firstAudit,
        ]);
        expect(summary).toEqual([
          ["opened", "strict-arp", false],
          ["closed", "node-kernel", false],
        ]);
        expect(await store.openFindings("prod")).toMatchObject([
          { check: "proxy-mode", status: "blocker", since: MONDAY, seenAt: TUESDAY },
          { check: "strict-arp", since: TUESDAY, seenAt: TUESDAY },
        ]);
      });

      it("does not call a finding closed because the cluster could not be reached", async () => {
        await store.putAudit(
          audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "blocker")] }),
        );
        await store.putAudit(audit({ id: "prod", auditedAt: TUESDAY, reachable: false }));
        expect(await store.changesSince(TUESDAY)).toEqual([]);
        expect(await store.openFindings("prod")).toMatchObject([{ since: MONDAY, seenAt: MONDAY }]);

        const back = await store.putAudit(
          audit({ id: "prod", auditedAt: WEDNESDAY, findings: [finding("proxy-mode", "pass", "nftables")] }),
        );
        expect(back.changes).toMatchObject([{ change: "closed", check: "proxy-mode", at: WEDNESDAY }]);
      });

      it("does not call a finding closed while its check is unknown in part", async () => {
        await store.putAudit(
          audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "blocker", "pool old")] }),
        );
        const put = await store.putAudit(
          audit({
            id: "prod",
            auditedAt: TUESDAY,
            findings: [finding("node-kernel", "unknown", "nodes unread")],
          }),
        );
        expect(put.changes.map((one) => [one.change, one.fingerprint])).toEqual([
          ["opened", "node-kernel/nodes unread"],
        ]);
        expect((await store.openFindings("prod")).map((one) => one.fingerprint)).toEqual([
          "node-kernel/nodes unread",
          "node-kernel/pool old",
        ]);
      });

      it("closes an unknown once its check was judged", async () => {
        await store.putAudit(
          audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "unknown")] }),
        );
        const put = await store.putAudit(audit({ id: "prod", auditedAt: TUESDAY }));
        expect(put.changes).toMatchObject([{ change: "closed", status: "unknown" }]);
      });

      it("finds changes by team, environment, provider and cluster, oldest first", async () => {
        const findings = [finding("proxy-mode", "warning")];
        await store.putAudit(audit({ id: "b", auditedAt: TUESDAY, team: "payments", findings }));
        await store.putAudit(
          audit({ id: "a", auditedAt: MONDAY, team: "payments", environment: "prod", findings }),
        );
        await store.putAudit(audit({ id: "c", auditedAt: MONDAY, provider: "k3s", findings }));
        const clusters = async (since: string, filter = {}) =>
          (await store.changesSince(since, filter)).map((one) => one.clusterId);
        expect({
          all: await clusters(MONDAY),
          tuesday: await clusters(TUESDAY),
          team: await clusters(MONDAY, { team: "payments" }),
          none: await clusters(MONDAY, { team: null }),
          environment: await clusters(MONDAY, { environment: "prod" }),
          provider: await clusters(MONDAY, { provider: "k3s" }),
          cluster: await clusters(MONDAY, { clusterId: "b" }),
        }).toEqual({
          all: ["a", "c", "b"],
          tuesday: ["b"],
          team: ["a", "b"],
          none: ["c"],
          environment: ["a"],
          provider: ["c"],
          cluster: ["b"],
        });
      });
    });

    describe("waivers and approvals", () => {
      it("lists waivers by expiry, for one cluster or all", async () => {
        const late = waiver("1", { expiresAt: "2027-04-01T00:00:00Z" });
        const soon = waiver("2");
        const other = waiver("1", { clusterId: "dev", expiresAt: "2027-03-20T00:00:00Z" });
        for (const one of [late, soon, other]) await store.putWaiver(one);
        expect([await store.waivers(), await store.waivers({ clusterId: "prod" })]).toEqual([
          [soon, other, late],
          [soon, late],
        ]);
      });

      it("leaves out what has expired when asked for what is active, and only then", async () => {
        await store.putWaiver(waiver("1"));
        await store.putApproval(approval("1"));
        const counts = async (activeAt?: string) => {
          const filter = activeAt === undefined ? {} : { activeAt };
          return [(await store.waivers(filter)).length, (await store.approvals(filter)).length];
        };
        expect([await counts(TUESDAY), await counts(WEDNESDAY), await counts()]).toEqual([
          [1, 1],
          [0, 0],
          [1, 1],
        ]);
      });

      it("replaces a waiver put again and removes one, saying whether it was there", async () => {
        await store.putWaiver(waiver("1"));
        await store.putWaiver(waiver("1", { owner: "li" }));
        expect((await store.waivers()).map((one) => one.owner)).toEqual(["li"]);
        expect([
          await store.removeWaiver("dev", "1"),
          await store.removeWaiver("prod", "1"),
          await store.removeWaiver("prod", "1"),
          await store.waivers(),
        ]).toEqual([false, true, false, []]);
      });

      it("lists approvals newest first, for one cluster or all", async () => {
        const first = approval("1");
        const second = approval("2", { createdAt: TUESDAY, overrideReason: "Incident 7" });
        const other = approval("1", { clusterId: "dev", createdAt: WEDNESDAY });
        for (const one of [first, second, other]) await store.putApproval(one);
        expect([await store.approvals(), await store.approvals({ clusterId: "prod" })]).toEqual([
          [other, second, first],
          [second, first],
        ]);
      });

      it("refuses a waiver without a reason", async () => {
        await expect(store.putWaiver(waiver("1", { reason: "" }))).rejects.toThrow();
        expect(await store.waivers()).toEqual([]);
      });
    });

    describe("digests", () => {
      it("subscribes several channels to a team and several teams to a channel", async () => {
        const one = subscription("C1", "payments");
        const two = subscription("C2", "payments");
        const three = subscription("C1", "search");
        for (const each of [three, two, one]) await store.putSubscription(each);
        await store.putSubscription({ ...one, hour: 8 });
        expect([
          await store.subscriptions(),
          await store.subscriptions({ team: "payments" }),
          await store.subscriptions({ channel: "C1" }),
        ]).toEqual([
          [{ ...one, hour: 8 }, two, three],
          [{ ...one, hour: 8 }, two],
          [{ ...one, hour: 8 }, three],
        ]);
        expect([await store.removeSubscription("C1", "payments"), await store.subscriptions()]).toEqual([
          true,
          [two, three],
        ]);
        expect(await store.removeSubscription("C1", "payments")).toBe(false);
      });

      const W09 = { team: "payments", channel: "C1", isoWeek: "2027-W09" };

      it("gives a digest to one of many who ask at once", async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => store.claimDigest(W09, MONDAY)));
        expect(answers.filter((answer) => answer === "claimed")).toHaveLength(1);
        expect(new Set(answers)).toEqual(new Set(["claimed", "already-claimed"]));
      });

      it("says sent for good once confirmed, for that team, channel and week only", async () => {
        await store.claimDigest(W09, MONDAY);
        await store.confirmDigest(W09, MONDAY);
        expect([
          await store.releaseDigest(W09),
          await store.claimDigest(W09, WEDNESDAY),
          await store.claimDigest({ ...W09, isoWeek: "2027-W10" }, WEDNESDAY),
          await store.claimDigest({ ...W09, team: "search" }, WEDNESDAY),
          await store.claimDigest({ ...W09, channel: "C2" }, WEDNESDAY),
        ]).toEqual([false, "sent", "claimed", "claimed", "claimed"]);
      });

      it("says maybe sent of a claim that was not confirmed, until it is released", async () => {
        await store.claimDigest(W09, "2027-03-01T09:00:00Z");
        expect([
          await store.claimDigest(W09, "2027-03-01T09:29:59Z"),
          await store.claimDigest(W09, "2027-03-01T09:30:00Z"),
          await store.claimDigest(W09, WEDNESDAY),
          await store.releaseDigest(W09),
          await store.releaseDigest(W09),
          await store.claimDigest(W09, WEDNESDAY),
        ]).toEqual(["already-claimed", "maybe-sent", "maybe-sent", true, false, "claimed"]);
      });

      it("takes the confirmation of whoever was slow, and none after it", async () => {
        await store.claimDigest(W09, MONDAY);
        expect(await store.claimDigest(W09, TUESDAY)).toBe("maybe-sent");
        await store.confirmDigest(W09, TUESDAY);
        expect(await store.claimDigest(W09, WEDNESDAY)).toBe("sent");
      });
    });

    describe("interactions", () => {
      const UNTIL_TUESDAY = { at: MONDAY, until: TUESDAY };

      it("lets one of many claim a key, until it is released or its time is over", async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => store.claimOnce("slack/v0=1", UNTIL_TUESDAY)),
        );
        expect(answers.filter((answer) => answer)).toHaveLength(1);
        expect([
          await store.claimOnce("slack/v0=2", UNTIL_TUESDAY),
          await store.claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY }),
          await store.claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY }),
        ]).toEqual([true, true, false]);
        await store.releaseOnce("slack/v0=1");
        expect(await store.claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY })).toBe(true);
      });

      const request = {
        id: "request-1",
        clusterId: "prod",
        target: "1.40",
        auditHash: "b2c1",
        requestedBy: "U0ANN",
        workspace: "T1",
        channel: "C1",
        ts: "1803805200.000001",
        createdAt: MONDAY,
      };

      it("takes the first decision on a request, and that one again", async () => {
        const approved = { outcome: "approved", by: "U0RAV", at: TUESDAY } as const;
        const rejected = { outcome: "rejected", by: "U0EVE", at: TUESDAY } as const;
        await store.putApprovalRequest(request);
        expect([
          await store.approvalRequest("request-1"),
          await store.approvalRequest("request-2"),
          await store.decideApprovalRequest("request-2", approved),
          await store.decideApprovalRequest("request-1", approved),
          await store.decideApprovalRequest("request-1", rejected),
          await store.decideApprovalRequest("request-1", approved),
          await store.approvalRequest("request-1"),
        ]).toEqual([
          { request, decision: null },
          undefined,
          false,
          true,
          false,
          true,
          { request, decision: approved },
        ]);
      });

      it("takes one of many decisions at once", async () => {
        await store.putApprovalRequest(request);
        const taken = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            store.decideApprovalRequest("request-1", {
              outcome: index % 2 === 0 ? "approved" : "rejected",
              by: `U${index}`,
              at: TUESDAY,
            }),
          ),
        );
        expect(taken.filter((one) => one)).toHaveLength(1);
      });
    });

    describe("runs and roll-ups", () => {
      it("knows which clusters of a run are pending, done and failed", async () => {
        await store.startRun("r1", MONDAY);
        for (const clusterId of ["a", "b", "c", "d", "e"]) {
          await store.markRun("r1", { clusterId, outcome: "expected", at: MONDAY });
        }
        await store.markRun("r1", { clusterId: "a", outcome: "done", at: MONDAY });
        await store.markRun("r1", { clusterId: "b", outcome: "failed", at: MONDAY, reason: "timeout" });
        await store.markRun("r1", { clusterId: "d", outcome: "partial", at: MONDAY, reason: "private" });
        await store.markRun("r1", { clusterId: "e", outcome: "skipped", at: MONDAY, reason: "deleted" });
        expect(await store.run("r1")).toEqual({
          id: "r1",
          startedAt: new Date(MONDAY).toISOString(),
          closedAt: null,
          pending: ["c"],
          done: ["a"],
          partial: [{ clusterId: "d", reason: "private" }],
          skipped: [{ clusterId: "e", reason: "deleted" }],
          failed: [{ clusterId: "b", reason: "timeout" }],
        });
        expect(await store.run("r2")).toBeUndefined();
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
        await store.startRun("r1", MONDAY);
        for (const outcome of outcomes) await store.markRun("r1", { clusterId: "a", outcome, at: MONDAY });
        const run = await store.run("r1");
        const endings = { partial: [], skipped: [], failed: [] };
        expect(run).toMatchObject({
          done: end === "done" ? ["a"] : [],
          ...endings,
          ...(end === "done" ? {} : { [end]: [{ clusterId: "a", reason: "" }] }),
          pending: [],
        });
      });

      it("begins a cluster once in a run, and anew after a failure", async () => {
        await store.startRun("r1", MONDAY);
        await store.markRun("r1", { clusterId: "a", outcome: "expected", at: MONDAY });
        const begun = { outcome: "expected", begunAt: new Date(TUESDAY).toISOString() };
        expect(await store.beginInRun("r1", "a", TUESDAY)).toEqual(begun);
        expect(await store.beginInRun("r1", "a", WEDNESDAY)).toEqual(begun);
        expect(await store.beginInRun("r1", "b", TUESDAY)).toEqual(begun);
        expect(await store.run("r1")).toMatchObject({ pending: ["a", "b"] });

        await store.markRun("r1", { clusterId: "a", outcome: "failed", at: WEDNESDAY });
        expect(await store.beginInRun("r1", "a", WEDNESDAY)).toEqual({
          outcome: "failed",
          begunAt: new Date(WEDNESDAY).toISOString(),
        });
        await store.markRun("r1", { clusterId: "b", outcome: "done", at: WEDNESDAY });
        expect(await store.beginInRun("r1", "b", WEDNESDAY)).toMatchObject({ outcome: "done" });
      });

      it("keeps the first start and the first end of a run", async () => {
        await store.startRun("r1", MONDAY);
        await store.startRun("r1", TUESDAY);
        await store.closeRun("r1", TUESDAY);
        await store.closeRun("r1", WEDNESDAY);
        expect(await store.run("r1")).toMatchObject({
          startedAt: new Date(MONDAY).toISOString(),
          closedAt: new Date(TUESDAY).toISOString(),
        });
      });

      it("gives the roll-ups between two days, of the fleet or of a team, the last put for each day", async () => {
        await store.putRollup(rollup("2027-03-02", null, 9));
        await store.putRollup(rollup("2027-03-01", null, 10));
        await store.putRollup(rollup("2027-03-02", null, 8));
        await store.putRollup(rollup("2027-03-03", null, 7));
        await store.putRollup(rollup("2027-03-02", "payments", 3));
        expect([
          await store.rollups({ from: "2027-03-01", to: "2027-03-02" }),
          await store.rollups({ from: "2027-03-01", to: "2027-03-31", team: "payments" }),
        ]).toEqual([
          [rollup("2027-03-01", null, 10), rollup("2027-03-02", null, 8)],
          [rollup("2027-03-02", "payments", 3)],
        ]);
      });
    });
  });
}
