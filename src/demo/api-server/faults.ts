/** Something a server does wrong, or a network does to it, on request. */
export interface Fault {
  match: {
    /** A part of the path with its query, or a pattern for it. Left out: every path. */
    path?: string | RegExp;
    user?: string;
    /** Only requests that carry a continue token (true) or carry none (false). */
    continued?: boolean;
  };
  /** How many matching requests pass unharmed first. */
  after?: number;
  /** How many times it happens; left out: every time. */
  times?: number;
  effect: {
    /** Answer with this status. 429 and 503 have plain text bodies, as the server's own filters write them. */
    status?: number;
    retryAfterSeconds?: number;
    /** Where a redirect (`status: 302`, say) goes. */
    location?: string;
    /** Never answer. */
    hang?: boolean;
    /** Break off after that many bytes of the body. */
    truncate?: number;
    /** Answer 200 with a body that is no JSON. */
    garbage?: boolean;
    /** Answer a continued list with 410 Expired, with a token to go on from here, or with none. */
    expireContinue?: "fresh" | "none";
    /** Answer, but only after that time. */
    delayMs?: number;
  };
}

export interface FaultTable {
  /** What happens to this request, or undefined; counts it. */
  next(request: { path: string; user: string; continued: boolean }): Fault["effect"] | undefined;
}

export function faultTable(faults: readonly Fault[]): FaultTable {
  const counted = faults.map((fault) => ({ fault, matched: 0 }));
  return {
    next(request) {
      for (const entry of counted) {
        if (!matches(entry.fault.match, request)) continue;
        entry.matched += 1;
        const { after = 0, times = Number.POSITIVE_INFINITY, effect } = entry.fault;
        if (entry.matched > after && entry.matched <= after + times) return effect;
      }
      return undefined;
    },
  };
}

function matches(
  match: Fault["match"],
  request: { path: string; user: string; continued: boolean },
): boolean {
  const { path, user, continued } = match;
  if (user !== undefined && user !== request.user) return false;
  if (continued !== undefined && continued !== request.continued) return false;
  if (path === undefined) return true;
  return typeof path === "string" ? request.path.includes(path) : path.test(request.path);
}
