import { digestOf } from "#src/commands/digest.ts";
import { localTimeOf } from "#src/commands/local-week.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { message } from "../blocks/message.ts";
import { section } from "../blocks/section.ts";
import { digestMessage } from "../digest/message.ts";
import { parseArguments } from "./arguments.ts";
import type { CommandAnswer, CommandContext, SlackCommand } from "./command.ts";

export const digest: SlackCommand = {
  name: "digest",
  usage: "[TEAM] preview|release",
  what: "what the weekly digest would say now; release lets one be sent that may not have arrived",
  async run(context) {
    const { services, rest, channel, now } = context;
    const { words } = parseArguments(rest);
    const verb = words.at(-1);
    const named = verb === "preview" || verb === "release" ? words.slice(0, -1) : words;
    const here = await services.store.subscriptions({ channel });
    const team = named.length > 0 ? named.join(" ") : here.length === 1 ? here[0]?.team : undefined;
    if (team === undefined) {
      throw new ProxyAuditError("usage", `Whose digest? /proxy-audit digest ${digest.usage}`);
    }
    if (verb === "release") return release(context, team);
    const view = await digestOf(services.store, team, now);
    const built = digestMessage(view, { now, charts: false });
    // Only the person who asked sees a preview, and what only one person sees has no thread.
    const blocks = [...built.blocks, ...built.thread.flat()];
    return {
      message: message({
        text: built.text,
        blocks,
        overflow: "cut",
        where: `proxy-audit digest --team ${team}`,
      }),
    };
  },
};

/** Somebody looked: the digest of this week did not arrive, and may be sent again. */
async function release(
  { services, channel, who, now }: CommandContext,
  team: string,
): Promise<CommandAnswer> {
  if (!(await services.roles.has(who, "approver"))) {
    throw new ProxyAuditError("usage", "Only approvers may let a digest be sent again: ask one of them.");
  }
  const [subscription] = await services.store.subscriptions({ channel, team });
  if (subscription === undefined) {
    throw new ProxyAuditError("not-found", `This channel gets no digest of team ${team}.`);
  }
  const { isoWeek } = localTimeOf(now, subscription.timeZone);
  const released = await services.store.releaseDigest({ team, channel, isoWeek });
  const text = released
    ? `The digest of team ${team} for ${isoWeek} is released: the next hourly run sends it.`
    : `There is nothing to release: the digest of team ${team} for ${isoWeek} was sent, or not begun.`;
  return { message: message({ text, blocks: [section(text)], overflow: "cut" }) };
}
