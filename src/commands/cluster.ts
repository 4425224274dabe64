import type { ClusterAudit, Verdict } from "#src/model/cluster-audit.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import type { DecisionStore } from "#src/store/store.ts";
import { defaultTargets } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";
import { type ApprovalState, approvalState } from "./approve.ts";
import { type WaiverRow, waiverRows } from "./waive.ts";

/** One cluster as of now: its latest audit, with waivers applied and decisions listed. */
export interface ClusterStanding {
  audit: ClusterAudit;
  /** For the next minor, 1.40 and 1.43, nearest first. */
  verdicts: Verdict[];
  waivers: WaiverRow[];
  approvals: { approval: Approval; state: ApprovalState }[];
}

export async function clusterStanding(
  store: Pick<DecisionStore, "waivers" | "approvals">,
  audit: ClusterAudit,
  now: Date,
): Promise<ClusterStanding> {
  const [waivers, approvals] = await Promise.all([
    store.waivers({ clusterId: audit.id }),
    store.approvals({ clusterId: audit.id }),
  ]);
  return {
    audit,
    verdicts: verdictsNow(audit, waivers, now),
    waivers: waiverRows(waivers, [audit], now),
    approvals: approvals.map((approval) => ({ approval, state: approvalState(approval, audit, now) })),
  };
}

/** Verdicts as of now: those in an audit are as of the audit, and know no waivers. */
function verdictsNow(audit: ClusterAudit, waivers: readonly Waiver[], now: Date): Verdict[] {
  return defaultTargets(audit).map((target) => verdictOf(audit, target, { now, waivers }));
}
