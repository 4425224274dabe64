import { scheduleText, subscriptionOf } from "#src/commands/subscribe.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md, mention } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { section } from "../blocks/section.ts";
import { post } from "../post.ts";
import { refusalText } from "../refusals.ts";
import { parseArguments } from "./arguments.ts";
import type { CommandContext, SlackCommand } from "./command.ts";

export const subscribe: SlackCommand = {
  name: "subscribe",
  usage: "[TEAM] [tz=Europe/Berlin] [day=monday] [hour=9] [off]",
  what: "the weekly digest of a team in this channel",
  acts: true,
  async run(context) {
    const { rest, channel, services, who, now } = context;
    const { words, options } = parseArguments(rest, ["tz", "day", "hour"]);
    const off = words.length > 1 && words.at(-1) === "off";
    const team = (off ? words.slice(0, -1) : words).join(" ");
    if (team === "") return { message: await subscriptionsHere(context) };
    if (off) {
      const removed = await services.store.removeSubscription(channel, team);
      return {
        message: said(
          removed
            ? md`This channel no longer gets the digest of team ${team}.`
            : md`This channel did not get the digest of team ${team}: nothing has changed.`,
        ),
      };
    }
    const subscription = subscriptionOf(
      {
        team,
        channel,
        workspace: who.teamId,
        createdBy: who.userId,
        timeZone: options.tz,
        weekday: options.day,
        hour: options.hour,
      },
      now,
    );
    // Said in the channel before it is stored: a digest that cannot be posted there is no use to anybody.
    const schedule = scheduleText(subscription);
    const text = md`This channel gets the weekly digest of team ${team}: ${schedule}. ${mention(who.userId)} asked for it; /proxy-audit subscribe ${team} off ends it.`;
    const posted = await post(services.clientOf(who.teamId), { channel, message: said(text) });
    if (posted.outcome !== "posted") throw new ProxyAuditError("slack", refusalText(posted));
    await services.store.putSubscription(subscription);
    const clusters = await Array.fromAsync(services.store.latestAll({ team }));
    return {
      message: said(
        clusters.length === 0
          ? md`Subscribed: ${schedule}. No audited cluster belongs to team ${team} yet: check the spelling.`
          : md`Subscribed: ${schedule}. /proxy-audit digest ${team} preview shows what comes.`,
      ),
    };
  },
};

async function subscriptionsHere({ services, channel }: CommandContext): Promise<SlackMessage> {
  const here = await services.store.subscriptions({ channel });
  if (here.length === 0) {
    return said("This channel gets no digest. /proxy-audit subscribe TEAM makes it get one.");
  }
  return message({
    text: `This channel gets ${here.length} digests`,
    overflow: "cut",
    blocks: [
      section("This channel gets the digests of:"),
      list(here.map((one) => [{ text: one.team, bold: true }, `: ${scheduleText(one)}`])),
    ],
  });
}

function said(text: Parameters<typeof section>[0]): SlackMessage {
  return message({ text, blocks: [section(text)], overflow: "cut" });
}
