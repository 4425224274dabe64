import type { PostResult } from "./post.ts";

const WORDS: Readonly<Record<string, string>> = {
  not_in_channel: "The app is not in this channel: /invite it, then try again.",
  channel_not_found: "The app does not see this channel: /invite it, then try again.",
  is_archived: "The channel is archived: unarchive it, or choose another one.",
  restricted_action: "The workspace does not let the app post here: ask its administrators.",
  token_revoked: "The app was removed from the workspace: install it again.",
  account_inactive: "The app was removed from the workspace: install it again.",
  invalid_auth: "The app's token is not accepted: install the app again.",
};

/** Why a message was not posted, and what to do about it. */
export function refusalText(result: Exclude<PostResult, { outcome: "posted" }>): string {
  switch (result.outcome) {
    case "rate-limited":
      return `Slack asks to wait ${result.retryAfterSeconds} seconds before the next message: try again then.`;
    case "refused":
      return WORDS[result.error] ?? `Slack refused the message (${result.error}).`;
    case "unknown":
      return `Slack did not say whether it took the message (${result.error}): look before you try again.`;
  }
}
