import type { GateRow } from "#src/commands/gate.ts";
import type { ApprovalDecision, ApprovalRequest } from "#src/model/approval-request.ts";
import type { Approval } from "#src/model/waiver.ts";
import { minuteOf } from "#src/report/when.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { actions, button, type Choice, confirm, select } from "../blocks/elements.ts";
import { LIMITS } from "../blocks/limits.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md, mention } from "../blocks/mrkdwn.ts";
import { context, header, section } from "../blocks/section.ts";
import { approvalText, findingsBehindVerdict, gateTitle, verdictBlocks } from "./blockers.ts";

export const APPROVE = "approval-approve";
export const REJECT = "approval-reject";
export const OVERRIDE = "approval-override";
export const ACCEPT_UNKNOWN = "approval-accept-unknown";

export interface ApprovalRequestView {
  request: ApprovalRequest;
  row: GateRow;
  decision: ApprovalDecision | null;
  approval: Approval | null;
}

/** A request for an approval: the verdict with its evidence, and what an approver may do about it. */
export function approvalRequestMessage(view: ApprovalRequestView, now: Date): SlackMessage {
  const { request, row, decision, approval } = view;
  const { audit, verdict } = row;
  const state = decision === null ? "approval wanted" : decision.outcome;
  return message({
    text: `${state}: ${gateTitle(row)}`,
    where: `proxy-audit gate ${audit.name} --to ${verdict.target}`,
    overflow: "cut",
    blocks: [
      header(gateTitle(row)),
      section(
        md`${mention(request.requestedBy)} asks for approval to upgrade ${audit.name} to ${request.target}.`,
      ),
      ...verdictBlocks(row, now),
      ...(decision === null ? controls(view) : [outcome(decision, approval)]),
      context(`Bound to the audit ${request.auditHash.slice(0, 12)}; void when a later audit differs`),
      ...findingsBehindVerdict(row),
    ],
  });
}

function outcome(decision: ApprovalDecision, approval: Approval | null) {
  if (decision.outcome === "rejected" || approval === null) {
    return section(md`❌ *Rejected* by ${mention(decision.by)}, ${minuteOf(decision.at)}`);
  }
  return section(approvalText(approval, "approved"));
}

/** What the verdict allows; who may press what is checked when it is pressed. */
function controls({ request, row }: ApprovalRequestView): Blocks<Block> {
  const { verdict } = row;
  const { id, target } = request;
  const reject = button({ action: REJECT, text: "Reject", value: id });
  if (verdict.verdict === "blocked") {
    return [
      section(
        "It is blocked, so it cannot be approved. An approver may override that, with a reason that everybody sees.",
      ),
      actions([button({ action: OVERRIDE, text: "Override …", value: id, style: "danger" }), reject]),
    ];
  }
  if (verdict.verdict === "incomplete") {
    if (verdict.reasons.length > 0) {
      return [
        section(md`It cannot be decided: ${verdict.reasons.join("; ")}. Audit it again, then ask again.`),
        actions([reject]),
      ];
    }
    const [first, ...rest] = verdict.unknown
      .map((check): Choice => ({ text: check, value: `${id} ${check}` }))
      .filter(({ value }) => value.length <= LIMITS.optionValue);
    return [
      section(
        md`It cannot be approved while these are unknown: *${verdict.unknown.join(", ")}*. An approver may accept each of them, with a reason and until a day.`,
      ),
      ...(first === undefined
        ? []
        : [
            actions([
              select({
                action: ACCEPT_UNKNOWN,
                placeholder: "Accept an unknown …",
                choices: [first, ...rest],
              }),
            ]),
          ]),
      actions([reject]),
    ];
  }
  return [
    actions([
      button({
        action: APPROVE,
        text: "Approve",
        value: id,
        style: "primary",
        confirm: confirm({
          title: "Approve the upgrade?",
          text: `${row.audit.name} to ${target}`,
          yes: "Approve",
          no: "Not yet",
        }),
      }),
      reject,
    ]),
  ];
}
