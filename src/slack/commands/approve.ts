import { ProxyAuditError } from "#src/model/errors.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { askForApproval } from "../approvals/request.ts";
import { message } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { aboutAudit } from "../views/parts.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";
import { whichCluster } from "./which-cluster.ts";

export const approve: SlackCommand = {
  name: "approve",
  usage: "CLUSTER VERSION",
  what: "ask an approver in this channel to approve an upgrade",
  acts: true,
  async run(context) {
    const { services, rest, who, channel, now } = context;
    const [name, version, ...more] = parseArguments(rest).words;
    if (name === undefined || version === undefined || more.length > 0) {
      throw new ProxyAuditError(
        "usage",
        `Which cluster, and to which version? /proxy-audit approve ${approve.usage}`,
      );
    }
    const target = parseTarget(version);
    const found = await whichCluster(context, name, (ref) => `approve ${ref} ${target}`);
    if ("ask" in found) return { message: found.ask };
    const { audit } = found;
    await askForApproval(services, { who, channel, audit, target });
    const text = md`Asked in this channel: an approver other than you decides about ${audit.name} to ${target}.`;
    return {
      message: message({ text, blocks: [section(text), aboutAudit(audit, now)], overflow: "cut" }),
    };
  },
};
