import { describe, expect, it } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../../model/audits.ts";
import { MONDAY, TUESDAY, WEDNESDAY } from "./records.ts";

export function describeFindingChanges(store: () => FindingStore): void {
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
      expect(await store().putAudit(put)).toEqual({ kept: "latest", changes });
      expect(await store().changesSince(MONDAY)).toEqual(changes);
    });

    it("records what later audits open and close, and keeps since when a finding is open", async () => {
      await store().putAudit(
        audit({
          id: "prod",
          auditedAt: MONDAY,
          findings: [finding("proxy-mode", "warning"), finding("node-kernel", "warning")],
        }),
      );
      await store().putAudit(
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
      const summary = (await store().changesSince(TUESDAY)).map((one) => [
        one.change,
        one.check,
        one.firstAudit,
      ]);
      expect(summary).toEqual([
        ["opened", "strict-arp", false],
        ["closed", "node-kernel", false],
      ]);
      expect(await store().openFindings("prod")).toMatchObject([
        { check: "proxy-mode", status: "blocker", since: MONDAY, seenAt: TUESDAY },
        { check: "strict-arp", since: TUESDAY, seenAt: TUESDAY },
      ]);
    });

    it("does not call a finding closed because the cluster could not be reached", async () => {
      await store().putAudit(
        audit({ id: "prod", auditedAt: MONDAY, findings: [finding("proxy-mode", "blocker")] }),
      );
      await store().putAudit(audit({ id: "prod", auditedAt: TUESDAY, reachable: false }));
      expect(await store().changesSince(TUESDAY)).toEqual([]);
      expect(await store().openFindings("prod")).toMatchObject([{ since: MONDAY, seenAt: MONDAY }]);

      const back = await store().putAudit(
        audit({ id: "prod", auditedAt: WEDNESDAY, findings: [finding("proxy-mode", "pass", "nftables")] }),
      );
      expect(back.changes).toMatchObject([{ change: "closed", check: "proxy-mode", at: WEDNESDAY }]);
    });

    it("does not call a finding closed while its check is unknown in part", async () => {
      await store().putAudit(
        audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "blocker", "pool old")] }),
      );
      const put = await store().putAudit(
        audit({
          id: "prod",
          auditedAt: TUESDAY,
          findings: [finding("node-kernel", "unknown", "nodes unread")],
        }),
      );
      expect(put.changes.map((one) => [one.change, one.fingerprint])).toEqual([
        ["opened", "node-kernel/nodes unread"],
      ]);
      expect((await store().openFindings("prod")).map((one) => one.fingerprint)).toEqual([
        "node-kernel/nodes unread",
        "node-kernel/pool old",
      ]);
    });

    it("closes an unknown once its check was judged", async () => {
      await store().putAudit(
        audit({ id: "prod", auditedAt: MONDAY, findings: [finding("node-kernel", "unknown")] }),
      );
      const put = await store().putAudit(audit({ id: "prod", auditedAt: TUESDAY }));
      expect(put.changes).toMatchObject([{ change: "closed", status: "unknown" }]);
    });

    it("finds changes by team, environment, provider and cluster, oldest first", async () => {
      const findings = [finding("proxy-mode", "warning")];
      await store().putAudit(audit({ id: "b", auditedAt: TUESDAY, team: "payments", findings }));
      await store().putAudit(
        audit({ id: "a", auditedAt: MONDAY, team: "payments", environment: "prod", findings }),
      );
      await store().putAudit(audit({ id: "c", auditedAt: MONDAY, provider: "k3s", findings }));
      const clusters = async (since: string, filter = {}) =>
        (await store().changesSince(since, filter)).map((one) => one.clusterId);
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
}
