import { approvalFor } from "#src/commands/approve.ts";
import { gateClusters } from "#src/commands/gate.ts";
import type { ApprovalRequest } from "#src/model/approval-request.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Waiver } from "#src/model/waiver.ts";
import { auditHashOf } from "#src/verdict/audit-hash.ts";
import type { Who } from "../roles.ts";
import type { SlackServices } from "../services.ts";
import type { ApprovalRequestView } from "../views/approval.ts";

/** An undecided request as it stands this moment, for somebody who may decide it. */
export interface OpenRequest {
  request: ApprovalRequest;
  audit: ClusterAudit;
  waivers: Waiver[];
}

/**
 * Reads a request again at the moment of acting on it: what the message shows may be days old.
 *
 * @throws ProxyAuditError `usage` for who is no approver or asked themselves, for a request that was decided or is
 * not known, and for a cluster whose audit has changed since.
 */
export async function openRequest(services: SlackServices, who: Who, id: string): Promise<OpenRequest> {
  if (!(await services.roles.has(who, "approver"))) {
    throw new ProxyAuditError("usage", "Only approvers decide about upgrades: ask one of them.");
  }
  const found = await services.store.approvalRequest(id);
  if (found === undefined || found.request.workspace !== who.teamId) {
    throw new ProxyAuditError(
      "usage",
      "This request is not known any more: ask again with /proxy-audit approve.",
    );
  }
  const { request, decision } = found;
  if (decision !== null) {
    throw new ProxyAuditError("usage", `This request was decided already: it was ${decision.outcome}.`);
  }
  if (request.requestedBy === who.userId) {
    throw new ProxyAuditError("usage", "You asked for this upgrade, so another approver decides about it.");
  }
  const audit = await services.store.latest(request.clusterId);
  if (audit === undefined) {
    throw new ProxyAuditError("usage", "This cluster is no longer in the fleet: nothing can be approved.");
  }
  if (auditHashOf(audit) !== request.auditHash) {
    throw new ProxyAuditError(
      "usage",
      `${audit.name} was audited again and has changed: read the new verdict with /proxy-audit approve ${audit.name} ${request.target}.`,
      { cluster: audit.name },
    );
  }
  return { request, audit, waivers: await services.store.waivers({ clusterId: audit.id }) };
}

/** The request as its message shows it now. */
export async function requestView(
  services: SlackServices,
  request: ApprovalRequest,
  audit: ClusterAudit,
): Promise<ApprovalRequestView | null> {
  const now = services.now();
  const waivers = await services.store.waivers({ clusterId: audit.id });
  const [row] = gateClusters([audit], request.target, { now, waivers }).rows;
  const found = await services.store.approvalRequest(request.id);
  if (row === undefined) return null;
  const approvals = await services.store.approvals({ clusterId: audit.id });
  return {
    request,
    row,
    decision: found?.decision ?? null,
    approval: approvalFor(approvals, audit, request.target, now)?.approval ?? null,
  };
}
