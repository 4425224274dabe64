import type { ModalView } from "@slack/types";
import { ProxyAuditError } from "#src/model/errors.ts";
import { approveRequest } from "../approvals/decide.ts";
import type { OpenRequest } from "../approvals/standing.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { modal, textInput } from "../blocks/view.ts";
import { approvalText } from "../views/blockers.ts";
import type { Dialog, Submission, SubmissionResult } from "./dialog.ts";

/** Asks for the reason that a blocked upgrade is approved for. */
export function overrideView({ request, audit }: OpenRequest): ModalView {
  return modal({
    title: "Override a block",
    submit: "Approve anyway",
    callback: overrideDialog.callback,
    metadata: request.id,
    blocks: [
      section(
        md`*${audit.name}* to ${request.target} is *blocked*. Your name and reason are posted in the channel and stay with the approval.`,
      ),
      textInput({ name: "reason", label: "Reason", multiline: true, maxLength: 1_000 }),
    ],
  });
}

export const overrideDialog: Dialog = { callback: "override", submit };

async function submit({ services, who, metadata, values }: Submission): Promise<SubmissionResult> {
  const reason = (values.reason ?? "").trim();
  if (reason === "") return { errors: { reason: "An override needs a reason." } };
  try {
    return { done: approvalText(await approveRequest(services, who, metadata, reason), "approved") };
  } catch (error) {
    if (!(error instanceof ProxyAuditError) || error.code !== "usage") throw error;
    return { errors: { reason: error.message } };
  }
}
