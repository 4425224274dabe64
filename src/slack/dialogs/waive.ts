import type { ModalView } from "@slack/types";
import { z } from "zod";
import { waive } from "#src/commands/waive.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Finding } from "#src/model/finding.ts";
import { minuteOf } from "#src/report/when.ts";
import { auditHashOf } from "#src/verdict/audit-hash.ts";
import { message } from "../blocks/message.ts";
import { md, mention } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { section } from "../blocks/section.ts";
import { modal } from "../blocks/view.ts";
import { respond } from "../respond.ts";
import type { SlackServices } from "../services.ts";
import { aboutAudit, lines } from "../views/parts.ts";
import { dayError, daysUntil, decisionInputs } from "./decision-inputs.ts";
import type { Dialog, Submission, SubmissionResult } from "./dialog.ts";

const metadataSchema = z.object({
  clusterId: z.string(),
  check: z.string(),
  auditHash: z.string(),
  responseUrl: z.string(),
});

/** Asks why, and until when, what is open under a check is acceptable. */
export function waiveView(
  audit: ClusterAudit,
  check: string,
  findings: readonly Finding[],
  { now, responseUrl }: { now: Date; responseUrl: string },
): ModalView {
  const metadata: z.input<typeof metadataSchema> = {
    clusterId: audit.id,
    check,
    auditHash: auditHashOf(audit),
    responseUrl,
  };
  return modal({
    title: "Waive a check",
    submit: "Waive",
    callback: waiveDialog.callback,
    metadata: JSON.stringify(metadata),
    blocks: [
      section(md`*${check}* in *${audit.name}*: what is open today, and nothing that opens later.`),
      list(findings.map(({ title }) => title)),
      ...decisionInputs(now),
      aboutAudit(audit, now),
    ],
  });
}

export const waiveDialog: Dialog = { callback: "waive", submit };

async function submit({ services, who, metadata, values }: Submission): Promise<SubmissionResult> {
  const about = metadataSchema.parse(JSON.parse(metadata));
  const now = services.now();
  const days = daysUntil(values.expires, now);
  const wrongDay = dayError(days);
  if (wrongDay !== null || days === null) return { errors: { expires: wrongDay ?? "Choose a day." } };
  try {
    // Again: the dialog may have been open for a day.
    if (!(await services.roles.has(who, "waive"))) {
      throw new ProxyAuditError("usage", "Your role does not allow you to waive findings.");
    }
    const audit = await services.store.latest(about.clusterId);
    if (audit === undefined) throw new ProxyAuditError("usage", "This cluster is no longer in the fleet.");
    if (auditHashOf(audit) !== about.auditHash) {
      throw new ProxyAuditError(
        "usage",
        `${audit.name} was audited again and has changed: close this and look again.`,
      );
    }
    const { waiver, covered } = await waive(
      services.store,
      audit,
      {
        check: about.check,
        accepts: "finding",
        reason: values.reason ?? "",
        ticket: values.ticket ?? null,
        owner: who.userId,
        days,
        id: services.newId(),
      },
      now,
    );
    const done = lines(
      md`*Waived* until ${minuteOf(waiver.expiresAt)}: ${about.check} in ${audit.name}, by ${mention(who.userId)}`,
      md`Reason: ${waiver.reason}`,
      waiver.ticket === null ? null : md`Ticket: ${waiver.ticket}`,
      md`It covers ${covered.length}: ${covered.map(({ title }) => title).join("; ")}`,
    );
    await tellChannel(services, about.responseUrl, message({ text: done, blocks: [section(done)] }));
    return { done };
  } catch (error) {
    if (!(error instanceof ProxyAuditError) || error.code !== "usage") throw error;
    return { errors: { reason: error.message } };
  }
}

/** A waiver is nobody's private matter. That it could not be told any more does not undo it. */
async function tellChannel(
  services: SlackServices,
  responseUrl: string,
  told: ReturnType<typeof message>,
): Promise<void> {
  try {
    await respond(responseUrl, told, { allowed: services.responseUrls, inChannel: true });
  } catch {
    services.log({ code: "waiver-not-told" });
  }
}
