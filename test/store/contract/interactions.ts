import { describe, expect, it } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { MONDAY, TUESDAY, WEDNESDAY } from "./records.ts";

export function describeInteractions(store: () => FindingStore): void {
  describe("interactions", () => {
    const UNTIL_TUESDAY = { at: MONDAY, until: TUESDAY };

    it("lets one of many claim a key, until it is released or its time is over", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => store().claimOnce("slack/v0=1", UNTIL_TUESDAY)),
      );
      expect(answers.filter((answer) => answer)).toHaveLength(1);
      expect([
        await store().claimOnce("slack/v0=2", UNTIL_TUESDAY),
        await store().claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY }),
        await store().claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY }),
      ]).toEqual([true, true, false]);
      await store().releaseOnce("slack/v0=1");
      expect(await store().claimOnce("slack/v0=1", { at: TUESDAY, until: WEDNESDAY })).toBe(true);
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
      await store().putApprovalRequest(request);
      expect([
        await store().approvalRequest("request-1"),
        await store().approvalRequest("request-2"),
        await store().decideApprovalRequest("request-2", approved),
        await store().decideApprovalRequest("request-1", approved),
        await store().decideApprovalRequest("request-1", rejected),
        await store().decideApprovalRequest("request-1", approved),
        await store().approvalRequest("request-1"),
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
      await store().putApprovalRequest(request);
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          store().decideApprovalRequest("request-1", {
            outcome: index % 2 === 0 ? "approved" : "rejected",
            by: `U${index}`,
            at: TUESDAY,
          }),
        ),
      );
      expect(taken.filter((one) => one)).toHaveLength(1);
    });
  });
}
