import { checkById } from "#src/checks/index.ts";
import { explainCheck } from "#src/commands/explain.ts";
import { waivable } from "#src/commands/waive.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { message } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { waiveView } from "../dialogs/waive.ts";
import { aboutAudit } from "../views/parts.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";
import { whichCluster } from "./which-cluster.ts";

export const waive: SlackCommand = {
  name: "waive",
  usage: "CLUSTER CHECK",
  what: "accept what is open under a check, for a reason and a time",
  acts: true,
  async run(context) {
    const { services, rest, who, now, openModal, responseUrl } = context;
    const [name, check, ...more] = parseArguments(rest).words;
    if (name === undefined || check === undefined || more.length > 0) {
      throw new ProxyAuditError("usage", `Which cluster and check? /proxy-audit waive ${waive.usage}`);
    }
    if (!(await services.roles.has(who, "waive"))) {
      throw new ProxyAuditError("usage", "Your role does not allow you to waive findings: ask an approver.");
    }
    if (checkById(check) === undefined) await explainCheck(check);
    const found = await whichCluster(context, name, (ref) => `waive ${ref} ${check}`);
    if ("ask" in found) return { message: found.ask };
    const { audit } = found;
    const findings = waivable(audit, { check, accepts: "finding" });
    if (openModal === null) throw new ProxyAuditError("usage", "Type the command again: it opens a dialog.");
    await openModal(waiveView(audit, check, findings, { now, responseUrl }));
    const text = md`The dialog asks why ${check} in ${audit.name} is acceptable, and until when.`;
    return { message: message({ text, blocks: [section(text), aboutAudit(audit, now)], overflow: "cut" }) };
  },
};
