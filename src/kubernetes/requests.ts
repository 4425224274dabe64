import type { Clock } from "./clock.ts";
import { createLimiter } from "./limiter.ts";
import { type Answer, failed, type Outcome } from "./outcome.ts";
import { retryWaitMs } from "./retry.ts";
import type { Transport } from "./transport.ts";

export interface RequestOptions {
  /** For one request, repetitions apart. */
  requestTimeoutMs: number;
  /** For all requests together, from the first one on. */
  deadlineMs: number;
  maxConnections: number;
  clock: Clock;
  /** Aborted when the reader is closed. */
  closed: AbortSignal;
}

/** One GET with repetitions where the server is busy; resolves to an answer of any status, or to a failure. */
export type Request = (path: string, accept: string) => Promise<Outcome<Answer>>;

/** Requests to one cluster, which share its deadline and its few connections. */
export function createRequests(transport: Transport, options: RequestOptions): Request {
  const { clock, deadlineMs } = options;
  const limited = createLimiter(options.maxConnections);
  let startedAt: number | undefined;

  function remainingMs(): number {
    const now = clock.now().getTime();
    startedAt ??= now;
    return startedAt + deadlineMs - now;
  }

  async function once(path: string, accept: string): Promise<Outcome<Answer>> {
    const remaining = remainingMs();
    if (remaining <= 0) {
      return failed("timeout", `the ${deadlineMs / 1_000} s that this cluster may take are used up`);
    }
    return transport.get(path, accept, Math.min(options.requestTimeoutMs, remaining));
  }

  return async (path, accept) => {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await limited(() => once(path, accept));
      const wait = retryWaitMs(outcome, attempt, { now: clock.now(), random: clock.random() });
      if (wait === null || wait >= remainingMs()) return outcome;
      try {
        await clock.sleep(wait, options.closed);
      } catch {
        return outcome;
      }
    }
  };
}
