import type { ModalView } from "@slack/types";
import { z } from "zod";
import { waive } from "#src/commands/waive.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { minuteOf } from "#src/report/when.ts";
import { showRequest, tellThread } from "../approvals/decide.ts";
import { type OpenRequest, openRequest } from "../approvals/standing.ts";
import { md, mention } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { section } from "../blocks/section.ts";
import { modal } from "../blocks/view.ts";
import { aboutAudit } from "../views/parts.ts";
import { dayError, daysUntil, decisionInputs } from "./decision-inputs.ts";
import type { Dialog, Submission, SubmissionResult } from "./dialog.ts";

const metadataSchema = z.object({ requestId: z.string(), check: z.string() });

/** Asks why, and until when, it is acceptable not to know what a check would say. */
export function acceptUnknownView({ request, audit }: OpenRequest, check: string, now: Date): ModalView {
  const metadata: z.input<typeof metadataSchema> = { requestId: request.id, check };
  const unknown = audit.findings.filter((one) => one.check === check && one.status === "unknown");
  return modal({
    title: "Accept an unknown",
    submit: "Accept",
    callback: acceptUnknownDialog.callback,
    metadata: JSON.stringify(metadata),
    blocks: [
      section(
        md`*${check}* could not be judged in *${audit.name}*. It stays listed as accepted, not as fine.`,
      ),
      list(unknown.map(({ title }) => title)),
      ...decisionInputs(now),
      aboutAudit(audit, now),
    ],
  });
}

export const acceptUnknownDialog: Dialog = { callback: "accept-unknown", submit };

async function submit({ services, who, metadata, values }: Submission): Promise<SubmissionResult> {
  const { requestId, check } = metadataSchema.parse(JSON.parse(metadata));
  const now = services.now();
  const days = daysUntil(values.expires, now);
  const wrongDay = dayError(days);
  if (wrongDay !== null || days === null) return { errors: { expires: wrongDay ?? "Choose a day." } };
  try {
    const { request, audit } = await openRequest(services, who, requestId);
    const { waiver } = await waive(
      services.store,
      audit,
      {
        check,
        accepts: "unknown",
        reason: values.reason ?? "",
        ticket: values.ticket ?? null,
        owner: who.userId,
        days,
        id: services.newId(),
      },
      now,
    );
    await showRequest(services, request, audit);
    const done = md`${mention(who.userId)} accepted that ${check} is unknown in ${audit.name}, until ${minuteOf(waiver.expiresAt)}: ${waiver.reason}`;
    await tellThread(services, request, done, false);
    return { done };
  } catch (error) {
    if (!(error instanceof ProxyAuditError) || error.code !== "usage") throw error;
    return { errors: { reason: error.message } };
  }
}
