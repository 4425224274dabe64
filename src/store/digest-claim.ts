import { minutesAfter, sortableInstant } from "./instant.ts";
import { DIGEST_CLAIM_MINUTES, type DigestClaim } from "./store.ts";

/** What somebody is told who wants to send a digest that was claimed before. */
export function digestClaimOf(
  digest: { claimedAt: unknown; sentAt: unknown },
  at: string,
): Exclude<DigestClaim, "claimed"> {
  if (digest.sentAt !== undefined) return "sent";
  // Released in between: whoever comes next may claim it.
  if (typeof digest.claimedAt !== "string") return "already-claimed";
  return minutesAfter(digest.claimedAt, DIGEST_CLAIM_MINUTES) > sortableInstant(at)
    ? "already-claimed"
    : "maybe-sent";
}
