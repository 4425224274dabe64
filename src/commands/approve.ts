import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import type { DecisionStore } from "#src/store/store.ts";
import { auditHashOf } from "#src/verdict/audit-hash.ts";
import { verdictOf } from "#src/verdict/verdict.ts";

const APPROVAL_DAYS = 14;
const DAY_MS = 86_400_000;

export interface ApproveRequest {
  target: string;
  approvedBy: string;
  /** Who asked for the upgrade; may not approve it. */
  requestedBy: string | null;
  /** Set to approve against a blocked verdict: loudly recorded. */
  overrideReason: string | null;
  id: string;
  /** The hash of the audit that the approver saw; an audit that changed since is refused. */
  seenHash: string | null;
}

/**
 * Approves one upgrade of one cluster, bound to the audit it was decided on.
 *
 * @throws ProxyAuditError `usage` where the rules refuse: the requester approves, the verdict is blocked without
 * an override's reason, something named is still unknown, or the audit has changed.
 */
export async function approve(
  store: Pick<DecisionStore, "putApproval">,
  audit: ClusterAudit,
  waivers: readonly Waiver[],
  request: ApproveRequest,
  now: Date,
): Promise<Approval> {
  const refuse = (message: string) => new ProxyAuditError("usage", message, { cluster: audit.name });
  const { target } = request;
  const auditHash = auditHashOf(audit);
  if (request.requestedBy !== null && request.requestedBy === request.approvedBy) {
    throw refuse(`who asks for the upgrade of ${audit.name} cannot approve it: ask another approver.`);
  }
  if (request.seenHash !== null && request.seenHash !== auditHash) {
    throw refuse(`${audit.name} was audited again and has changed: read the new verdict, then decide.`);
  }
  const own = waivers.filter((waiver) => waiver.clusterId === audit.id);
  const verdict = verdictOf(audit, target, { now, waivers: own });
  const overridden =
    verdict.verdict === "blocked" && request.overrideReason !== null && request.overrideReason.trim() !== "";
  if (verdict.verdict === "blocked" && !overridden) {
    throw refuse(
      `${audit.name} to ${target} is blocked by ${verdict.blockers.join(", ")}: fix or waive that first, or override with a reason.`,
    );
  }
  if (verdict.verdict === "incomplete") {
    const [reason] = verdict.reasons;
    throw refuse(
      reason === undefined
        ? `${audit.name} to ${target} is incomplete: accept each unknown with a reason first (${verdict.unknown.join(", ")}).`
        : `${audit.name} to ${target} is incomplete: ${reason}. Audit it again first.`,
    );
  }
  const approval: Approval = {
    id: request.id,
    clusterId: audit.id,
    target,
    auditHash,
    verdict: verdict.verdict,
    requestedBy: request.requestedBy,
    approvedBy: request.approvedBy,
    overrideReason: overridden ? (request.overrideReason?.trim() ?? null) : null,
    createdAt: now.toISOString(),
    expiresAt: expiryOf(audit, own, now),
  };
  await store.putApproval(approval);
  return approval;
}

/** In two weeks, or when the first exception ends that it rests on: what then applies was never approved. */
function expiryOf(audit: ClusterAudit, waivers: readonly Waiver[], now: Date): string {
  const used = waivers.filter((waiver) =>
    audit.findings.some(
      (finding) => finding.check === waiver.check && waiver.fingerprints.includes(finding.fingerprint),
    ),
  );
  const ends = used.map((waiver) => Date.parse(waiver.expiresAt)).filter((end) => end > now.getTime());
  return new Date(Math.min(now.getTime() + APPROVAL_DAYS * DAY_MS, ...ends)).toISOString();
}

export type ApprovalState = "valid" | "expired" | "void";

/** Whether an approval still stands: not expired, and the cluster's latest audit is the one it was given on. */
export function approvalState(approval: Approval, audit: ClusterAudit | undefined, now: Date): ApprovalState {
  if (Date.parse(approval.expiresAt) <= now.getTime()) return "expired";
  return audit !== undefined && auditHashOf(audit) === approval.auditHash ? "valid" : "void";
}

/** The newest approval of a cluster for a target, with its state; null where there is none. */
export function approvalFor(
  approvals: readonly Approval[],
  audit: ClusterAudit,
  target: string,
  now: Date,
): { approval: Approval; state: ApprovalState } | null {
  const approval = approvals
    .filter((one) => one.clusterId === audit.id && one.target === target)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
  return approval === undefined ? null : { approval, state: approvalState(approval, audit, now) };
}
