import { ProxyAuditError } from "#src/model/errors.ts";
import { fallbacks } from "./blocks/fallback.ts";
import type { SlackMessage } from "./blocks/message.ts";

const TIMEOUT_MS = 5_000;

/** Slack's words for a message that it will not show as it is. */
const REFUSED_BLOCKS = /invalid_blocks|invalid_attachments|msg_blocks_too_long/;

export interface RespondOptions {
  /** What the address must start with: it comes back out of a queue, so it is not just any address. */
  allowed: readonly string[];
  /** Puts the answer where the first one stood. */
  replace?: boolean;
  inChannel?: boolean;
}

/**
 * Answers through a `response_url`, in the best form that Slack takes.
 *
 * @throws ProxyAuditError `slack` for an address that is none of Slack's, and where Slack refuses every form.
 */
export async function respond(url: string, message: SlackMessage, options: RespondOptions): Promise<void> {
  if (!isAllowedUrl(url, options.allowed)) {
    throw new ProxyAuditError("slack", "The address to answer at is not one of Slack's.");
  }
  let refusal = "";
  for (const { text, blocks } of fallbacks(message)) {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({
        text,
        blocks,
        response_type: options.inChannel === true ? "in_channel" : "ephemeral",
        replace_original: options.replace === true,
      }),
    });
    if (response.ok) return;
    refusal = `${response.status} ${(await response.text()).slice(0, 200)}`;
    if (!REFUSED_BLOCKS.test(refusal)) break;
  }
  throw new ProxyAuditError("slack", `Slack did not take the answer: ${refusal}.`);
}

function isAllowedUrl(url: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  return allowed.some((one) => new URL(one).origin === origin);
}
