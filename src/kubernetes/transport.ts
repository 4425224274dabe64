import http from "node:http";
import https from "node:https";
import { bodyOf } from "./body.ts";
import { connectionFailure } from "./connection-failure.ts";
import { type Answer, type Failed, failed, type Outcome } from "./outcome.ts";

/** The only method there is: nothing in this product can ask a cluster for anything else. */
const METHOD = "GET";

interface TlsOptions {
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
}

export interface TransportOptions {
  /** `https://host:port`, with a path where the API is served below one; `http:` for `kubectl proxy`. */
  server: URL;
  tls: TlsOptions;
  headers: Readonly<Record<string, string | readonly string[]>>;
  userAgent: string;
  /** Replaces the connection pool, for a kubeconfig with `proxy-url`. */
  agent?: http.Agent;
  /** HTTPS_PROXY, NO_PROXY and the like, honoured as kubectl does (Node 24.5 or newer). */
  proxyEnv?: Readonly<Record<string, string | undefined>>;
  maxConnections: number;
  /** Decoded bytes of one body. */
  maxBodyBytes: number;
}

export interface TransportStats {
  /** Requests sent, repetitions included. */
  requests: number;
  /** Bytes of bodies as they came over the network, compressed or not. */
  wireBytes: number;
  /** Bytes of bodies after decompression. */
  decodedBytes: number;
}

export interface Transport {
  /** One GET, in `withinMs` from connecting to the last byte. Whatever happens is an outcome. */
  get(path: string, accept: string, withinMs: number): Promise<Outcome<Answer>>;
  stats(): TransportStats;
  /** Ends connections; requests under way fail. */
  close(): void;
}

/** Speaks HTTP to one server over kept connections. It follows no redirect and keeps no cookie. */
export function createTransport(options: TransportOptions): Transport {
  const { server } = options;
  const agent = options.agent ?? connectionPool(options);
  const proxied = options.agent !== undefined || options.proxyEnv !== undefined;
  const closing = new AbortController();
  const stats: TransportStats = { requests: 0, wireBytes: 0, decodedBytes: 0 };

  async function get(path: string, accept: string, withinMs: number): Promise<Outcome<Answer>> {
    if (closing.signal.aborted) return closed();
    const tooLate = new AbortController();
    const timer = setTimeout(() => tooLate.abort(), withinMs);
    stats.requests += 1;
    const outcome = await exchange(path, accept, AbortSignal.any([tooLate.signal, closing.signal]));
    clearTimeout(timer);
    if (outcome.ok) return outcome;
    // An exchange that was ended from here fails in many ways, all of which say less than the reason.
    if (closing.signal.aborted) return closed();
    if (tooLate.signal.aborted) {
      return failed("timeout", `${server.host} did not answer in full within ${inSeconds(withinMs)}`);
    }
    return outcome;
  }

  async function exchange(path: string, accept: string, signal: AbortSignal): Promise<Outcome<Answer>> {
    try {
      return await answerFrom(await responseTo(path, accept, signal));
    } catch (error) {
      return connectionFailure(error, proxied ? `${server.host} (through a proxy)` : server.host);
    }
  }

  function responseTo(path: string, accept: string, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { request } = server.protocol === "http:" ? http : https;
    return new Promise((resolve, reject) => {
      const sent = request(new URL(server.pathname.replace(/\/$/, "") + path, server.origin), {
        method: METHOD,
        agent,
        signal,
        ...options.tls,
        headers: {
          ...(options.headers as http.OutgoingHttpHeaders),
          Accept: accept,
          "Accept-Encoding": "gzip",
          "User-Agent": options.userAgent,
        },
      });
      sent.once("response", resolve);
      // Stays on after the response: an error without a listener would end the process.
      sent.on("error", reject);
      sent.end();
    });
  }

  async function answerFrom(response: http.IncomingMessage): Promise<Outcome<Answer>> {
    const body = await bodyOf(response, {
      host: server.host,
      maxBytes: options.maxBodyBytes,
      count: ({ wire, decoded }) => {
        stats.wireBytes += wire;
        stats.decodedBytes += decoded;
      },
    });
    if (!body.ok) return body;
    const { headers, statusCode } = response;
    return {
      ok: true,
      value: {
        status: statusCode ?? 0,
        contentType: headers["content-type"] ?? "",
        retryAfter: headers["retry-after"],
        location: headers.location,
        body: body.value,
      },
    };
  }

  function closed(): Failed {
    return failed("not-requested", `the connection to ${server.host} was closed before the answer was read`);
  }

  return {
    get,
    stats: () => ({ ...stats }),
    close: () => {
      closing.abort();
      agent.destroy();
    },
  };
}

function connectionPool(options: TransportOptions): http.Agent {
  const pool = {
    keepAlive: true,
    maxSockets: options.maxConnections,
    ...(options.proxyEnv === undefined ? {} : { proxyEnv: options.proxyEnv }),
  };
  return options.server.protocol === "http:"
    ? new http.Agent(pool)
    : new https.Agent({ ...pool, ...options.tls });
}

function inSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
