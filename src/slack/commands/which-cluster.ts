import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Choice } from "../blocks/elements.ts";
import { actions, select } from "../blocks/elements.ts";
import { LIMITS } from "../blocks/limits.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { section } from "../blocks/section.ts";
import { clusterBy, clusterRef } from "./cluster-ref.ts";
import type { CommandContext } from "./command.ts";

export type WhichCluster = { audit: ClusterAudit } | { ask: SlackMessage };

/**
 * The cluster that a word stands for, or a menu of those that it may stand for. `again` is the command with one
 * of them put in.
 *
 * @throws ProxyAuditError `not-found`, with the nearest name.
 */
export async function whichCluster(
  { services }: CommandContext,
  wanted: string,
  again: (ref: string) => string,
): Promise<WhichCluster> {
  const whole = wanted.includes(":") ? await services.store.latest(wanted) : undefined;
  if (whole !== undefined) return { audit: whole };
  const audits = await Array.fromAsync(services.store.latestAll());
  const match = clusterBy(audits, wanted);
  if (match.kind === "one") return { audit: match.audit };
  if (match.kind === "several") return { ask: menu(wanted, match.audits, again) };
  const hint =
    audits.length === 0
      ? "No cluster has been audited yet."
      : match.nearest === undefined
        ? "/proxy-audit fleet lists them."
        : `Did you mean ${match.nearest}?`;
  throw new ProxyAuditError("not-found", `There is no cluster "${wanted}". ${hint}`, { cluster: wanted });
}

function menu(wanted: string, audits: readonly ClusterAudit[], again: (ref: string) => string): SlackMessage {
  const text = md`"${wanted}" fits ${audits.length} clusters. Which one?`;
  const [first, ...rest] = audits.map(
    (audit): Choice => ({
      text: audit.name,
      value: again(clusterRef(audit.id)),
      description: audit.id,
    }),
  );
  // What was typed comes back with the choice, and has to fit into it.
  if (first === undefined || first.value.length > LIMITS.optionValue) {
    return message({ text, blocks: [section(text), list(audits.map(({ id }) => id))], overflow: "cut" });
  }
  return message({
    text,
    overflow: "cut",
    blocks: [
      section(text),
      actions([select({ action: "run", placeholder: "Choose a cluster", choices: [first, ...rest] })]),
    ],
  });
}
