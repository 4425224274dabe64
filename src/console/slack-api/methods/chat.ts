import { z } from "zod";
import { type Answer, type Call, type Found, method, refusalFor, refused } from "../answer.ts";
import { validateMessage } from "../validate.ts";
import { newTs, type StoredMessage, withBlockIds } from "../workspace.ts";
import { channelOf, refusalToPost } from "./channels.ts";

// Every argument of a form is a string, so booleans come as "true".
const flag = z.union([z.boolean(), z.enum(["true", "false"])]).optional();
const content = {
  text: z.string().optional(),
  // Judged by validateMessage: malformed blocks have errors of their own.
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
  parse: z.string().optional(),
  mrkdwn: flag,
  link_names: flag,
  unfurl_links: flag,
  unfurl_media: flag,
};
const ts = z.string().regex(/^\d+\.\d{6}$/);

/** docs.slack.dev/reference/methods/chat.postMessage */
const postMessage = method(
  z.object({ channel: z.string(), thread_ts: ts.optional(), reply_broadcast: flag, ...content }),
  (args, call) => {
    const channel = channelOf(args.channel, call);
    const refusal = refusalToPost(channel) ?? refusalToSay(args, call);
    if (channel === undefined || refusal !== null) return refusal ?? refused("channel_not_found");
    const threadTs = args.thread_ts ?? null;
    // Slack takes a thread_ts that names nothing in silence; here it is a bug to be shown.
    if (threadTs !== null && messageOf(channel.id, threadTs, call) === undefined) {
      return refused("thread_not_found");
    }
    const message = store(call, { ...args, channel: channel.id, threadTs, onlyFor: null });
    return { ok: true, channel: channel.id, ts: message.ts, message: answered(message) };
  },
);

/** docs.slack.dev/reference/methods/chat.postEphemeral */
const postEphemeral = method(
  z.object({ channel: z.string(), user: z.string(), thread_ts: ts.optional(), ...content }),
  (args, call) => {
    const channel = channelOf(args.channel, call);
    const refusal = refusalToPost(channel) ?? refusalToSay(args, call);
    if (channel === undefined || refusal !== null) return refusal ?? refused("channel_not_found");
    if (!call.workspace.users.has(args.user)) return refused("user_not_in_channel");
    const threadTs = args.thread_ts ?? null;
    const { ts: message_ts } = store(call, { ...args, channel: channel.id, threadTs, onlyFor: args.user });
    return { ok: true, message_ts };
  },
);

/** docs.slack.dev/reference/methods/chat.update. Blocks that are not sent stay; an empty list removes them. */
const update = method(z.object({ channel: z.string(), ts, ...content }), (args, call) => {
  const found = ownMessage(args, call, "cant_update_message");
  if (found.refusal !== undefined) return found.refusal;
  const message = found.value;
  const blocks = args.blocks ?? (message.blocks.length > 0 ? message.blocks : undefined);
  const refusal = refusalToSay({ text: args.text ?? message.text, blocks }, call);
  if (refusal !== null) return refusal;
  const changed = replace(call, message, {
    text: args.text ?? message.text,
    ...(Array.isArray(args.blocks) ? { blocks: withBlockIds(call.workspace, args.blocks) } : {}),
    ...(args.metadata === undefined ? {} : { metadata: args.metadata }),
  });
  return {
    ok: true,
    channel: changed.channel,
    ts: changed.ts,
    text: changed.text,
    message: answered(changed),
  };
});

/** docs.slack.dev/reference/methods/chat.delete */
const deleteMessage = method(z.object({ channel: z.string(), ts }), (args, call) => {
  const found = ownMessage(args, call, "cant_delete_message");
  if (found.refusal !== undefined) return found.refusal;
  remove(call, found.value);
  return { ok: true, channel: found.value.channel, ts: found.value.ts };
});

export const CHAT_METHODS = {
  "chat.postMessage": postMessage,
  "chat.postEphemeral": postEphemeral,
  "chat.update": update,
  "chat.delete": deleteMessage,
};

function refusalToSay(content: { text?: unknown; blocks?: unknown }, { workspace }: Call): Answer | null {
  return refusalFor(validateMessage(content, { missing: workspace.missingBlocks }));
}

export function store(
  call: Call,
  content: {
    channel: string;
    threadTs: string | null;
    onlyFor: string | null;
    text?: string | undefined;
    blocks?: unknown;
    metadata?: unknown;
  },
): StoredMessage {
  const { workspace, caller, now } = call;
  const message: StoredMessage = {
    ts: newTs(workspace, now),
    channel: content.channel,
    user: caller.botUserId,
    botId: caller.botId,
    appId: caller.appId,
    teamId: caller.teamId,
    text: content.text ?? "",
    blocks: Array.isArray(content.blocks) ? withBlockIds(workspace, content.blocks) : [],
    threadTs: content.threadTs,
    onlyFor: content.onlyFor,
    editedTs: null,
    metadata: content.metadata ?? null,
  };
  workspace.messages.push(message);
  workspace.emit({ type: "message-posted", message });
  return message;
}

export function replace(
  { workspace, now }: Call,
  message: StoredMessage,
  change: Partial<Pick<StoredMessage, "text" | "blocks" | "metadata">>,
): StoredMessage {
  const changed = { ...message, ...change, editedTs: `${Math.floor(now.getTime() / 1000)}.000000` };
  workspace.messages.splice(workspace.messages.indexOf(message), 1, changed);
  workspace.emit({ type: "message-changed", message: changed });
  return changed;
}

export function remove({ workspace }: Call, message: StoredMessage): void {
  workspace.messages.splice(workspace.messages.indexOf(message), 1);
  workspace.emit({ type: "message-deleted", message });
}

function messageOf(channel: string, at: string, { workspace }: Call): StoredMessage | undefined {
  return workspace.messages.find((message) => message.channel === channel && message.ts === at);
}

/** An ephemeral message is not found: Slack does not keep it. */
function ownMessage(args: { channel: string; ts: string }, call: Call, notOwn: string): Found<StoredMessage> {
  const channel = channelOf(args.channel, call);
  if (channel === undefined) return { refusal: refused("channel_not_found") };
  const message = messageOf(channel.id, args.ts, call);
  if (message === undefined || message.onlyFor !== null) return { refusal: refused("message_not_found") };
  return message.user === call.caller.botUserId ? { value: message } : { refusal: refused(notOwn) };
}

/** The message as Slack answers it. */
function answered(message: StoredMessage): Record<string, unknown> {
  return {
    type: "message",
    user: message.user,
    bot_id: message.botId,
    app_id: message.appId,
    team: message.teamId,
    ts: message.ts,
    text: message.text,
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(message.editedTs === null ? {} : { edited: { user: message.user, ts: message.editedTs } }),
    ...(message.metadata === null ? {} : { metadata: message.metadata }),
  };
}
