import type { Answer } from "./answer.ts";

/** What a Web API call answers in place of the truth. */
export interface SlackFault {
  /** Any method when not given. */
  method?: string;
  /** 429 with this Retry-After. */
  retryAfterSeconds?: number;
  /** A platform error: `fatal_error`. */
  error?: string;
  /** An HTTP status without a body that Slack would write. */
  status?: number;
  /** How many calls it meets; all of them when not given. */
  times?: number;
  /** The call takes effect, and only its answer is lost: what a timeout looks like from outside. */
  afterEffect?: boolean;
}

export interface SlackFaults {
  /** The fault that meets this call, counted down. */
  next(method: string): SlackFault | undefined;
}

export function slackFaults(faults: readonly SlackFault[]): SlackFaults {
  const left = faults.map((fault) => ({ fault, times: fault.times ?? Number.POSITIVE_INFINITY }));
  return {
    next(method) {
      const meets = left.find(
        ({ fault, times }) => times > 0 && (fault.method === undefined || fault.method === method),
      );
      if (meets !== undefined) meets.times -= 1;
      return meets?.fault;
    },
  };
}

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export function httpAnswer(answer: Answer): HttpAnswer {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(answer),
  };
}

export function rateLimited(retryAfterSeconds: number): HttpAnswer {
  const { headers, body } = httpAnswer({ ok: false, error: "ratelimited" });
  return { status: 429, headers: { ...headers, "retry-after": String(retryAfterSeconds) }, body };
}

export function faultAnswer(fault: SlackFault): HttpAnswer {
  if (fault.retryAfterSeconds !== undefined) return rateLimited(fault.retryAfterSeconds);
  if (fault.error !== undefined) return httpAnswer({ ok: false, error: fault.error });
  return { status: fault.status ?? 500, headers: { "content-type": "text/plain" }, body: "" };
}

/**
 * Slack takes about one message a second in a channel and lets short bursts pass
 * (docs.slack.dev/apis/web-api/rate-limits). Returns the seconds to wait, 0 when the post may go.
 */
export function postLimiter(burst = 3): (channel: string, now: Date) => number {
  const buckets = new Map<string, { left: number; at: number }>();
  return (channel, now) => {
    const at = now.getTime();
    const bucket = buckets.get(channel) ?? { left: burst, at };
    const left = Math.min(burst, bucket.left + Math.max(0, at - bucket.at) / 1000);
    buckets.set(channel, { left: left < 1 ? left : left - 1, at });
    return left < 1 ? 1 : 0;
  };
}
