import { type Answer, type Call, refused } from "../answer.ts";
import type { FakeChannel } from "../workspace.ts";

/**
 * The caller's channel by its identifier or `#name`; for a user's identifier the direct conversation with them,
 * made when there is none. Channels of other workspaces are not found.
 */
export function channelOf(name: string, call: Call): FakeChannel | undefined {
  const { workspace, caller } = call;
  if (workspace.users.has(name)) return directChannel(name, call);
  const own = [...workspace.channels.values()].filter(
    ({ teamId }) => (teamId ?? caller.teamId) === caller.teamId,
  );
  return own.find((channel) => channel.id === name || channel.name === name.replace(/^#/, ""));
}

/** The conversation of a person with the app. */
export function directChannel(userId: string, { workspace, caller }: Call): FakeChannel {
  const id = `D${userId.slice(1)}`;
  const channel = workspace.channels.get(id) ?? {
    id,
    name: userId,
    teamId: caller.teamId,
    isPrivate: true,
  };
  workspace.channels.set(id, channel);
  return channel;
}

export function refusalToPost(channel: FakeChannel | undefined): Answer | null {
  if (channel === undefined) return refused("channel_not_found");
  if (channel.isArchived === true) return refused("is_archived");
  return channel.hasBot === false ? refused("not_in_channel") : null;
}
