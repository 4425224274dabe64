import { z } from "zod";
import { method, refused } from "../answer.ts";
import type { FakeChannel } from "../workspace.ts";
import { channelOf, directChannel } from "./channels.ts";

const authTest = method(z.object({}), (_, { caller, workspace }) => ({
  ok: true,
  url: "https://example.slack.com/",
  team: caller.team,
  user: workspace.users.get(caller.botUserId)?.name ?? "proxy-audit",
  team_id: caller.teamId,
  user_id: caller.botUserId,
  bot_id: caller.botId,
  is_enterprise_install: false,
}));

const conversationsInfo = method(z.object({ channel: z.string() }), (args, call) => {
  const channel = channelOf(args.channel, call);
  return channel === undefined ? refused("channel_not_found") : { ok: true, channel: answered(channel) };
});

const conversationsList = method(
  z.object({
    cursor: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    exclude_archived: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
    types: z.string().optional(),
  }),
  ({ cursor, limit = 100, exclude_archived, types = "public_channel" }, { workspace, caller }) => {
    const wanted = types.split(",");
    const channels = [...workspace.channels.values()].filter(
      (channel) =>
        (channel.teamId ?? caller.teamId) === caller.teamId &&
        wanted.includes(typeOf(channel)) &&
        !(channel.isArchived === true && String(exclude_archived) === "true"),
    );
    const from = cursor === undefined || cursor === "" ? 0 : Number(cursor);
    if (!Number.isInteger(from)) return refused("invalid_cursor");
    const next = from + limit;
    return {
      ok: true,
      channels: channels.slice(from, next).map(answered),
      response_metadata: { next_cursor: next < channels.length ? String(next) : "" },
    };
  },
);

const conversationsOpen = method(z.object({ users: z.string() }), ({ users }, call) =>
  call.workspace.users.has(users)
    ? { ok: true, channel: { id: directChannel(users, call).id } }
    : refused("user_not_found"),
);

const usersInfo = method(z.object({ user: z.string() }), (args, { workspace, caller }) => {
  const user = workspace.users.get(args.user);
  if (user === undefined) return refused("user_not_found");
  return {
    ok: true,
    user: {
      id: user.id,
      team_id: caller.teamId,
      name: user.name,
      real_name: user.realName ?? user.name,
      is_bot: user.isBot ?? false,
      is_restricted: user.isRestricted ?? false,
      is_ultra_restricted: false,
      is_stranger: user.isStranger ?? false,
      deleted: false,
    },
  };
});

const usergroupsUsersList = method(z.object({ usergroup: z.string() }), (args, { workspace }) => {
  const usergroup = workspace.usergroups.get(args.usergroup);
  return usergroup === undefined ? refused("no_such_subteam") : { ok: true, users: [...usergroup.users] };
});

export const DIRECTORY_METHODS = {
  "auth.test": authTest,
  "conversations.info": conversationsInfo,
  "conversations.list": conversationsList,
  "conversations.open": conversationsOpen,
  "users.info": usersInfo,
  "usergroups.users.list": usergroupsUsersList,
};

function typeOf({ id, isPrivate }: FakeChannel): string {
  if (id.startsWith("D")) return "im";
  return isPrivate === true ? "private_channel" : "public_channel";
}

function answered(channel: FakeChannel): Record<string, unknown> {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: typeOf(channel) === "public_channel",
    is_im: typeOf(channel) === "im",
    is_private: channel.isPrivate ?? false,
    is_archived: channel.isArchived ?? false,
    is_member: channel.hasBot ?? true,
  };
}
