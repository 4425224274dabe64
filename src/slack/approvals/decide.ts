import { approve } from "#src/commands/approve.ts";
import type { ApprovalRequest } from "#src/model/approval-request.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Approval } from "#src/model/waiver.ts";
import { message } from "../blocks/message.ts";
import { type Inline, md, mention } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { post } from "../post.ts";
import type { Who } from "../roles.ts";
import type { SlackServices } from "../services.ts";
import { approvalRequestMessage } from "../views/approval.ts";
import { approvalText } from "../views/blockers.ts";
import { openRequest, requestView } from "./standing.ts";

/**
 * Approves what was asked for, by the rules of `commands/approve`, on the very audit that the request was about.
 *
 * @throws ProxyAuditError `usage` where the rules refuse, and for whoever decides second.
 */
export async function approveRequest(
  services: SlackServices,
  who: Who,
  id: string,
  overrideReason: string | null,
): Promise<Approval> {
  const { request, audit, waivers } = await openRequest(services, who, id);
  const now = services.now();
  const decision = { outcome: "approved", by: who.userId, at: now.toISOString() } as const;
  const approval = await approve(
    {
      // One decision wins. Should the second write fail, the request is decided and nothing is approved.
      async putApproval(given) {
        if (!(await services.store.decideApprovalRequest(id, decision))) {
          throw new ProxyAuditError("usage", "Somebody else decided about this request a moment ago.");
        }
        await services.store.putApproval(given);
      },
    },
    audit,
    waivers,
    {
      target: request.target,
      approvedBy: who.userId,
      requestedBy: request.requestedBy,
      overrideReason,
      id,
      seenHash: request.auditHash,
    },
    now,
  );
  await showRequest(services, request, audit);
  const loud = approval.overrideReason !== null;
  await tellThread(services, request, approvalText(approval, "approved"), loud);
  return approval;
}

/** @throws ProxyAuditError `usage` for who may not decide, and for whoever decides second. */
export async function rejectRequest(services: SlackServices, who: Who, id: string): Promise<void> {
  const { request, audit } = await openRequest(services, who, id);
  const decision = { outcome: "rejected", by: who.userId, at: services.now().toISOString() } as const;
  if (!(await services.store.decideApprovalRequest(id, decision))) {
    throw new ProxyAuditError("usage", "Somebody else decided about this request a moment ago.");
  }
  await showRequest(services, request, audit);
  await tellThread(
    services,
    request,
    md`❌ ${mention(who.userId)} rejected the upgrade of ${audit.name} to ${request.target}.`,
    false,
  );
}

/** Brings the request's message up to date. That it could not be is logged: what was decided stands. */
export async function showRequest(
  services: SlackServices,
  request: ApprovalRequest,
  audit: ClusterAudit,
): Promise<void> {
  try {
    const view = await requestView(services, request, audit);
    if (view === null) return;
    const { text, blocks } = approvalRequestMessage(view, services.now());
    const { workspace, channel, ts } = request;
    await services.clientOf(workspace).chat.update({ channel, ts, text, blocks });
  } catch {
    services.log({ code: "request-not-shown", reference: request.id });
  }
}

/** `loud`: in the channel as well, for what nobody must overlook. */
export async function tellThread(
  services: SlackServices,
  { workspace, channel, ts, id }: ApprovalRequest,
  text: Inline,
  loud: boolean,
): Promise<boolean> {
  const told = await post(services.clientOf(workspace), {
    channel,
    threadTs: ts,
    broadcast: loud,
    message: message({ text, blocks: [section(text)], overflow: "cut" }),
  });
  if (told.outcome !== "posted")
    services.log({ code: "thread-not-told", reference: id, detail: told.outcome });
  // What may have arrived is not said again.
  return told.outcome === "posted" || told.outcome === "unknown";
}
