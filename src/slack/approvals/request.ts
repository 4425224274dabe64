import { gateClusters } from "#src/commands/gate.ts";
import type { ApprovalRequest } from "#src/model/approval-request.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { auditHashOf } from "#src/verdict/audit-hash.ts";
import { post } from "../post.ts";
import { refusalText } from "../refusals.ts";
import type { Who } from "../roles.ts";
import type { SlackServices } from "../services.ts";
import { approvalRequestMessage } from "../views/approval.ts";

/**
 * Posts a request for an approval in a channel, where it stays and its thread is told what comes of it.
 *
 * @throws ProxyAuditError `usage` where there is nothing to upgrade, `slack` where it cannot be posted.
 */
export async function askForApproval(
  services: SlackServices,
  { who, channel, audit, target }: { who: Who; channel: string; audit: ClusterAudit; target: string },
): Promise<ApprovalRequest> {
  const now = services.now();
  const waivers = await services.store.waivers({ clusterId: audit.id });
  const [row] = gateClusters([audit], target, { now, waivers }).rows;
  if (row === undefined)
    throw new ProxyAuditError("usage", `There is no upgrade of ${audit.name} to decide.`);
  const wanted = {
    id: services.newId(),
    clusterId: audit.id,
    target,
    auditHash: auditHashOf(audit),
    requestedBy: who.userId,
    workspace: who.teamId,
    createdAt: now.toISOString(),
  };
  const shown = approvalRequestMessage(
    { request: { ...wanted, channel, ts: "" }, row, decision: null, approval: null },
    now,
  );
  const posted = await post(services.clientOf(who.teamId), { channel, message: shown });
  if (posted.outcome !== "posted") throw new ProxyAuditError("slack", refusalText(posted));
  const request = { ...wanted, channel: posted.channel, ts: posted.ts };
  try {
    await services.store.putApprovalRequest(request);
  } catch (error) {
    await takeBack(services, request);
    throw error;
  }
  return request;
}

/** A request that is not stored cannot be decided: its buttons would promise what they do not do. */
async function takeBack(services: SlackServices, { workspace, channel, ts, id }: ApprovalRequest) {
  try {
    await services.clientOf(workspace).chat.delete({ channel, ts });
  } catch {
    services.log({ code: "request-not-taken-back", reference: id });
  }
}
