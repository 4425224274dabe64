import { createHmac, timingSafeEqual } from "node:crypto";
import type { Replays } from "./replays.ts";

/** Slack's own documentation: an absolute difference of five minutes (verifying requests from Slack). */
const SKEW_SECONDS = 300;

/** Slack's payloads stay far below: a message with all its blocks is the largest thing in one. */
export const BODY_BYTES_AT_MOST = 1024 * 1024;

const CONTENT_TYPES = ["application/x-www-form-urlencoded", "application/json"] as const;

export interface SignedRequest {
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: Buffer;
  /** The app's signing secret, and the one before while it is being changed. */
  secrets: readonly string[];
  now: Date;
  replays: Replays;
}

export type Verification =
  | { ok: true; contentType: (typeof CONTENT_TYPES)[number] }
  | {
      ok: false;
      status: 400 | 401;
      reason: "too-large" | "content-type" | "unsigned" | "skew" | "signature" | "replayed";
    };

/**
 * Whether Slack sent these bytes, within the last five minutes and not before: nothing of a request is looked at
 * until this is known (docs.slack.dev/authentication/verifying-requests-from-slack). Bolt's own check parses first,
 * takes timestamps from the future, and takes a request twice.
 */
export async function verifySlackRequest(request: SignedRequest): Promise<Verification> {
  const { headers, rawBody, secrets, now, replays } = request;
  if (rawBody.length > BODY_BYTES_AT_MOST) return refused(400, "too-large");
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  const contentType = CONTENT_TYPES.find((type) => type === mediaType.trim().toLowerCase());
  if (contentType === undefined) return refused(400, "content-type");
  const timestamp = headers["x-slack-request-timestamp"] ?? "";
  const signature = headers["x-slack-signature"] ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || signature === "") return refused(401, "unsigned");
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > SKEW_SECONDS) return refused(401, "skew");
  const matches = secrets.filter((secret) => isSignedWith(secret, signature, timestamp, rawBody));
  if (matches.length === 0) return refused(401, "signature");
  // Last: only requests that Slack signed may fill the cache.
  return (await replays.isFirst(signature, now)) ? { ok: true, contentType } : refused(401, "replayed");
}

function isSignedWith(secret: string, signature: string, timestamp: string, rawBody: Buffer): boolean {
  // An empty secret would make every signature computable by anybody.
  if (secret === "") return false;
  const expected = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(rawBody).digest("hex");
  const [given, wanted] = [Buffer.from(signature), Buffer.from(`v0=${expected}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refused(
  status: 400 | 401,
  reason: Extract<Verification, { ok: false }>["reason"],
): Extract<Verification, { ok: false }> {
  return { ok: false, status, reason };
}
