import { gateClusters } from "#src/commands/gate.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { blockersMessage } from "../views/blockers.ts";
import { parseArguments, quoted } from "./arguments.ts";
import type { CommandContext, SlackCommand } from "./command.ts";
import { partOfFleet } from "./fleet.ts";
import { type WhichCluster, whichCluster } from "./which-cluster.ts";

export const blockers: SlackCommand = {
  name: "blockers",
  usage: "CLUSTER|team=TEAM|env=ENVIRONMENT VERSION",
  what: "may it be upgraded to that version, and what stands in the way",
  async run(context) {
    const { services, rest, now } = context;
    const { words, options } = parseArguments(rest, ["team", "env"]);
    const version = words.at(-1);
    const name = words.length > 1 ? words[0] : undefined;
    const group = options.team !== undefined || options.env !== undefined;
    if (version === undefined || words.length > 2 || group === (name !== undefined)) {
      throw new ProxyAuditError(
        "usage",
        `Which cluster, and to which version? /proxy-audit blockers ${blockers.usage}`,
      );
    }
    const target = parseTarget(version);
    const found =
      name === undefined
        ? await clustersOf(context, options)
        : await whichCluster(context, name, (ref) => `blockers ${ref} ${quoted(target)}`);
    if ("ask" in found) return { message: found.ask };
    const audits = "audits" in found ? found.audits : [found.audit];
    const [only] = audits;
    const waivers = await services.store.waivers({ activeAt: now.toISOString() });
    const approvals =
      audits.length === 1 && only !== undefined ? await services.store.approvals({ clusterId: only.id }) : [];
    const result = gateClusters(audits, target, { now, waivers, approvals });
    return { message: blockersMessage(result, partOfFleet(options), now) };
  },
};

async function clustersOf(
  { services }: CommandContext,
  { team, env }: Readonly<Record<string, string>>,
): Promise<{ audits: ClusterAudit[] } | WhichCluster> {
  const audits = await Array.fromAsync(
    services.store.latestAll({
      ...(team === undefined ? {} : { team }),
      ...(env === undefined ? {} : { environment: env }),
    }),
  );
  if (audits.length > 0) return { audits };
  throw new ProxyAuditError(
    "not-found",
    `There are no audited clusters${partOfFleet({ ...(team === undefined ? {} : { team }), ...(env === undefined ? {} : { env }) })}.`,
  );
}
