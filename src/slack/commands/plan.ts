import { ProxyAuditError } from "#src/model/errors.ts";
import { nextAction } from "#src/report/next-action.ts";
import { message } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { aboutAudit } from "../views/parts.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";
import { whichCluster } from "./which-cluster.ts";

export const plan: SlackCommand = {
  name: "plan",
  usage: "CLUSTER",
  what: "a migration plan for one cluster (not built yet)",
  async run(context) {
    const [name] = parseArguments(context.rest).words;
    if (name === undefined)
      throw new ProxyAuditError("usage", `Which cluster? /proxy-audit plan ${plan.usage}`);
    const found = await whichCluster(context, name, (ref) => `plan ${ref}`);
    if ("ask" in found) return { message: found.ask };
    const { audit } = found;
    const text = md`Migration plans are not built yet. The next action for ${audit.name} is known: ${nextAction(audit)}`;
    return {
      message: message({
        text,
        overflow: "cut",
        blocks: [
          section(text),
          section("/proxy-audit explain proxy-mode says how a cluster leaves ipvs."),
          aboutAudit(audit, context.now),
        ],
      }),
    };
  },
};
