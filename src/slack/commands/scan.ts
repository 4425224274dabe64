import { clusterStanding } from "#src/commands/cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { ageOf } from "#src/report/when.ts";
import { tellVoidedApprovals } from "../approvals/voided.ts";
import { message } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { section } from "../blocks/section.ts";
import { clusterMessage } from "../views/cluster.ts";
import { parseArguments } from "./arguments.ts";
import { clusterRef } from "./cluster-ref.ts";
import type { SlackCommand } from "./command.ts";
import { whichCluster } from "./which-cluster.ts";

/** Reading a cluster takes longer than Slack waits: the ingress queues it, the worker does it. */
export const scan: SlackCommand = {
  name: "scan",
  usage: "CLUSTER",
  what: "audit a cluster again, now",
  acts: true,
  async run(context) {
    const { services, rest, now, patient } = context;
    const [name, ...more] = parseArguments(rest).words;
    if (name === undefined || more.length > 0) {
      throw new ProxyAuditError("usage", `Which cluster? /proxy-audit scan ${scan.usage}`);
    }
    const found = await whichCluster(context, name, (ref) => `scan ${ref}`);
    if ("ask" in found) return { message: found.ask };
    const { audit } = found;
    if (!patient) {
      const text = md`Queued: ${audit.name} is being audited again. The answer takes the place of this message. What is known now is of ${ageOf(audit.auditedAt, now.toISOString())}.`;
      return {
        message: message({ text, blocks: [section(text)], overflow: "cut" }),
        queue: `scan ${clusterRef(audit.id)}`,
      };
    }
    if (services.audit === null) throw new ProxyAuditError("slack", "Nothing here can read clusters.");
    const fresh = await services.audit(audit.id);
    await tellVoidedApprovals(services, { clusterId: fresh.id });
    const after = services.now();
    return { message: clusterMessage(await clusterStanding(services.store, fresh, after), after) };
  },
};
