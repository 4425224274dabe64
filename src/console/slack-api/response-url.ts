import { z } from "zod";
import type { Call } from "./answer.ts";
import { remove, replace, store } from "./methods/chat.ts";
import { problemText } from "./problems.ts";
import { validateMessage } from "./validate.ts";
import { type ResponseTarget, type StoredMessage, withBlockIds } from "./workspace.ts";

/** docs.slack.dev/interactivity/handling-user-interaction: five uses within thirty minutes. */
const USES = 5;
export const RESPONSE_URL_MS = 30 * 60 * 1000;

const responseSchema = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(["ephemeral", "in_channel"]).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
});

export interface UrlAnswer {
  status: number;
  body: string;
}

/** What Slack answers to a POST to a `response_url`, and does. It needs no token: whoever has the URL may post. */
export function respondTo(
  target: ResponseTarget | undefined,
  body: unknown,
  call: Omit<Call, "caller">,
): UrlAnswer {
  if (target === undefined) return { status: 404, body: "no_such_url" };
  if (call.now.getTime() > target.expiresAt) return refusal(404, "expired_url");
  if (target.uses >= USES) return refusal(404, "used_url");
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success) return { status: 400, body: "invalid_payload" };
  const problem = problemWith(parsed.data, call);
  if (problem !== null) return { status: 400, body: problem };
  target.uses += 1;
  deliver(target, parsed.data, call);
  return { status: 200, body: "ok" };
}

/**
 * What an app answered in the acknowledgement of a command: shown like a response, but no use of the URL. The
 * problems are Slack's reasons to show nothing.
 */
export function acknowledge(target: ResponseTarget, body: unknown, call: Omit<Call, "caller">): string[] {
  if (body === "" || body === undefined || body === null) return [];
  const response = responseSchema.parse(typeof body === "string" ? { text: body } : body);
  const problems = validateMessage(response, { via: "response_url", missing: call.workspace.missingBlocks });
  if (problems.length === 0) deliver(target, response, call);
  return problems.map(problemText);
}

type Response = z.output<typeof responseSchema>;

function problemWith(response: Response, { workspace }: Omit<Call, "caller">): string | null {
  if (response.delete_original === true) return null;
  return (
    validateMessage(response, { via: "response_url", missing: workspace.missingBlocks })[0]?.error ?? null
  );
}

function deliver(target: ResponseTarget, response: Response, partial: Omit<Call, "caller">): void {
  const call = { ...partial, caller: target.owner };
  const original = originalOf(target, call);
  if (response.delete_original === true) {
    if (original !== undefined) remove(call, original);
    target.originalTs = null;
    return;
  }
  const blocks = Array.isArray(response.blocks) ? response.blocks : [];
  if (response.replace_original === true && original !== undefined) {
    replace(call, original, { text: response.text ?? "", blocks: withBlockIds(call.workspace, blocks) });
    return;
  }
  const message = store(call, {
    channel: target.channel,
    threadTs: response.thread_ts ?? null,
    onlyFor: response.response_type === "in_channel" ? null : target.userId,
    text: response.text,
    blocks,
  });
  target.originalTs ??= message.ts;
}

function originalOf({ channel, originalTs }: ResponseTarget, { workspace }: Call): StoredMessage | undefined {
  return workspace.messages.find((message) => message.channel === channel && message.ts === originalTs);
}

function refusal(status: number, error: string): UrlAnswer {
  return { status, body: JSON.stringify({ ok: false, error }) };
}
