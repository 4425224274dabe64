import type { InteractionStore } from "#src/store/store.ts";
import type { SlackLog } from "../log.ts";
import { isAllowed, type SlackSettings } from "../settings.ts";
import { type Identity, identityOf } from "./identity.ts";
import {
  type LambdaEvent,
  type LambdaResponse,
  lambdaEventSchema,
  lowerCaseHeaders,
  rawBodyOf,
} from "./lambda-event.ts";
import type { Replays } from "./replays.ts";
import { BODY_BYTES_AT_MOST, verifySlackRequest } from "./verify.ts";

/** What Bolt is given: text, of a content type spelled as it compares it. */
export interface VerifiedRequest {
  headers: Record<string, string>;
  body: string;
}

export interface IngressOptions {
  settings: Pick<SlackSettings, "appIds" | "workspaces">;
  secrets: readonly string[];
  replays: Replays;
  store: Pick<InteractionStore, "claimOnce" | "releaseOnce">;
  now: () => Date;
  log: SlackLog;
  bolt(request: VerifiedRequest): Promise<LambdaResponse>;
}

/** How long an event's identifier is remembered: Slack sends it again after five minutes at the latest. */
const EVENT_REMEMBERED_MS = 15 * 60_000;

/**
 * The door: a request is verified on its raw bytes, then its workspace and app are looked up in the allow-list,
 * and only then does Bolt see it. Whoever is refused gets a status and an empty body.
 *
 * @example
 * const ingress = createIngress(options);
 * export const handler = (event) => ingress(event);
 */
export function createIngress(options: IngressOptions): (event: LambdaEvent) => Promise<LambdaResponse> {
  return async (event) => {
    try {
      return await answer(event, options);
    } catch (error) {
      // Nothing of the request, and no stack: what was sent may hold a response_url.
      options.log({ code: "ingress-failed", detail: error instanceof Error ? error.name : "unknown" });
      return empty(500);
    }
  };
}

async function answer(event: LambdaEvent, options: IngressOptions): Promise<LambdaResponse> {
  const parsed = lambdaEventSchema.safeParse(event);
  if (!parsed.success) return refuse(400, "malformed", options);
  // Base64 is a third longer than what it stands for; anything beyond is not worth decoding.
  if ((parsed.data.body?.length ?? 0) > BODY_BYTES_AT_MOST * 1.5) return refuse(400, "too-large", options);
  const headers = lowerCaseHeaders(parsed.data.headers);
  const rawBody = rawBodyOf(parsed.data);
  const { secrets, replays } = options;
  const verified = await verifySlackRequest({ headers, rawBody, secrets, now: options.now(), replays });
  if (!verified.ok) return refuse(verified.status, verified.reason, options);
  const body = rawBody.toString("utf8");
  const identity = identityOf(verified.contentType, body);
  if (identity === null) return refuse(400, "not-slack", options);
  if (identity.kind !== "url-verification" && !isAllowed(identity, options.settings)) {
    return refuse(401, "not-allowed", options);
  }
  return once(identity, options, () =>
    options.bolt({
      headers: {
        "content-type": verified.contentType,
        ...retryHeaders(headers),
      },
      body,
    }),
  );
}

/** An event that comes again is answered and not done again, unless it failed the first time. */
async function once(
  { eventId }: Identity,
  { store, now }: IngressOptions,
  work: () => Promise<LambdaResponse>,
): Promise<LambdaResponse> {
  if (eventId === null) return work();
  const key = `slack-event/${eventId}`;
  const at = now();
  const until = new Date(at.getTime() + EVENT_REMEMBERED_MS).toISOString();
  if (!(await store.claimOnce(key, { at: at.toISOString(), until }))) return empty(200);
  try {
    const response = await work();
    if (response.statusCode >= 500) await store.releaseOnce(key);
    return response;
  } catch (error) {
    await store.releaseOnce(key);
    throw error;
  }
}

function retryHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = ["x-slack-retry-num", "x-slack-retry-reason"];
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

function refuse(status: number, reason: string, { log }: IngressOptions): LambdaResponse {
  log({ code: "request-refused", detail: reason });
  return empty(status);
}

function empty(statusCode: number): LambdaResponse {
  return { statusCode, body: "" };
}
