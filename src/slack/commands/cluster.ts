import { clusterStanding } from "#src/commands/cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { clusterMessage } from "../views/cluster.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";
import { whichCluster } from "./which-cluster.ts";

export const cluster: SlackCommand = {
  name: "cluster",
  usage: "NAME",
  what: "one cluster: verdicts, findings, decisions",
  async run(context) {
    const { services, rest, now } = context;
    const [name, ...more] = parseArguments(rest).words;
    if (name === undefined || more.length > 0) {
      throw new ProxyAuditError("usage", `Which cluster? /proxy-audit cluster ${cluster.usage}`);
    }
    const found = await whichCluster(context, name, (ref) => `cluster ${ref}`);
    if ("ask" in found) return { message: found.ask };
    return { message: clusterMessage(await clusterStanding(services.store, found.audit, now), now) };
  },
};
