import { createHmac } from "node:crypto";

export interface SignedRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * A request as Slack sends and signs it (docs.slack.dev/authentication/verifying-requests-from-slack): `fields`
 * as a form, which is how commands and interactions come, or a string as it is, which is how events come.
 *
 * @param timestamp seconds since 1970
 */
export function signedRequest(
  body: string | Readonly<Record<string, string>>,
  secret: string,
  timestamp: number,
): SignedRequest {
  const raw = typeof body === "string" ? body : new URLSearchParams(body).toString();
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${raw}`, "utf8").digest("hex");
  return {
    body: raw,
    headers: {
      "content-type": typeof body === "string" ? "application/json" : "application/x-www-form-urlencoded",
      "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
      "x-slack-request-timestamp": String(timestamp),
      "x-slack-signature": `v0=${signature}`,
    },
  };
}

/** The form of an interaction: one field that holds the payload. */
export function interactionForm(payload: object): Record<string, string> {
  return { payload: JSON.stringify(payload) };
}
