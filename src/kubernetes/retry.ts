import type { Answer, Outcome } from "./outcome.ts";

/** Priority and Fairness asks for 1 to 32 s (kube-apiserver, dropped_requests_tracker.go). */
const LONGEST_WAIT_MS = 32_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const RETRIES_WHEN_BUSY = 4;
const RETRIES_WHEN_BROKEN = 1;

/**
 * Milliseconds to wait before the same GET is sent again, or null when its outcome stands. `attempt` counts
 * from 0. A server that is busy (429, 503) is asked again several times, one that is broken once.
 */
export function retryWaitMs(
  outcome: Outcome<Answer>,
  attempt: number,
  at: { now: Date; random: number },
): number | null {
  if (!outcome.ok) {
    return outcome.transient === true && attempt < RETRIES_WHEN_BROKEN ? backoffMs(attempt, at.random) : null;
  }
  const { status, retryAfter } = outcome.value;
  if (status === 429 || status === 503) {
    if (attempt >= RETRIES_WHEN_BUSY) return null;
    return retryAfterMs(retryAfter, at.now) ?? backoffMs(attempt, at.random);
  }
  return status >= 500 && attempt < RETRIES_WHEN_BROKEN ? backoffMs(attempt, at.random) : null;
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3); null when it is neither. */
function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const asked = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(asked) ? null : Math.min(Math.max(asked, 0), LONGEST_WAIT_MS);
}

/** Doubles with each attempt; the jitter keeps a fleet of audits from coming back at the same moment. */
function backoffMs(attempt: number, random: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** attempt, LONGEST_BACKOFF_MS);
  return Math.round(full * (0.5 + random / 2));
}
