import type { WebClient } from "@slack/web-api";
import { fallbacks } from "./blocks/fallback.ts";
import type { SlackMessage } from "./blocks/message.ts";

/** How a post ended. Only `posted` is known to be there, only `unknown` may be. */
export type PostResult =
  | { outcome: "posted"; channel: string; ts: string; threadFailure: string | null }
  | { outcome: "rate-limited"; retryAfterSeconds: number }
  | { outcome: "refused"; error: string }
  | { outcome: "unknown"; error: string };

export interface Post {
  channel: string;
  message: SlackMessage;
  threadTs?: string;
  /** A reply that stands in the channel as well. */
  broadcast?: boolean;
  /** Identifiers only: everybody in the workspace can read it. */
  metadata?: { event_type: string; event_payload: Record<string, string> };
  /** Called as soon as the first message is posted, ahead of its thread. */
  onPosted?(): Promise<void>;
}

/** Posts a message and its thread, in the best form that Slack takes. Throws nothing that Slack answered. */
export async function post(client: WebClient, content: Post): Promise<PostResult> {
  const { channel, threadTs, metadata, broadcast = false } = content;
  let refused: PostResult = { outcome: "refused", error: "nothing to post" };
  for (const { text, blocks, thread } of fallbacks(content.message)) {
    const first = await postOne(client, {
      channel,
      text,
      blocks,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs, reply_broadcast: broadcast }),
      ...(metadata === undefined ? {} : { metadata }),
    });
    if (first.outcome === "posted") {
      await content.onPosted?.();
      const threadFailure = await postThread(client, { ...first, ts: threadTs ?? first.ts, text, thread });
      return { ...first, threadFailure };
    }
    refused = first;
    if (first.outcome !== "refused" || !REFUSED_BLOCKS.has(first.error)) break;
  }
  return refused;
}

const REFUSED_BLOCKS = new Set(["invalid_blocks", "invalid_attachments", "msg_blocks_too_long"]);

type Message = Parameters<WebClient["chat"]["postMessage"]>[0];

async function postOne(client: WebClient, message: Readonly<Record<string, unknown>>): Promise<PostResult> {
  try {
    // Names from clusters can look like addresses.
    const quiet = { ...message, unfurl_links: false, unfurl_media: false };
    // The package's type wants a reply to be one of three literal shapes, which an optional thread is none of.
    const { ts, channel } = await client.chat.postMessage(quiet as unknown as Message);
    if (ts === undefined || channel === undefined) return { outcome: "unknown", error: "no timestamp" };
    return { outcome: "posted", channel, ts, threadFailure: null };
  } catch (error) {
    return failureOf(error);
  }
}

async function postThread(
  client: WebClient,
  to: { channel: string; ts: string; text: string; thread: SlackMessage["thread"] },
): Promise<string | null> {
  for (const blocks of to.thread) {
    const message = { text: to.text, blocks, thread: [] };
    const reply = await post(client, { channel: to.channel, threadTs: to.ts, message });
    if (reply.outcome !== "posted") return reply.outcome === "rate-limited" ? reply.outcome : reply.error;
  }
  return null;
}

/** An answer from Slack is a refusal; anything else leaves open whether the message is there. */
function failureOf(error: unknown): PostResult {
  const { code, retryAfter, data } = error as {
    code?: string;
    retryAfter?: number;
    data?: { error?: string };
  };
  if (code === "slack_webapi_rate_limited_error") {
    return { outcome: "rate-limited", retryAfterSeconds: retryAfter ?? 60 };
  }
  if (code === "slack_webapi_platform_error" && data?.error !== undefined) {
    return AMBIGUOUS.has(data.error)
      ? { outcome: "unknown", error: data.error }
      : { outcome: "refused", error: data.error };
  }
  return { outcome: "unknown", error: code ?? "no answer" };
}

/** Slack's own "something went wrong, the operation may have succeeded" (docs.slack.dev, chat.postMessage). */
const AMBIGUOUS = new Set(["fatal_error", "internal_error", "request_timeout", "service_unavailable"]);
