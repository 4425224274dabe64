import type { Sample } from "#src/kubernetes/metrics-text.ts";
import { type Answer, jsonOf } from "#src/kubernetes/outcome.ts";
import { printable } from "#src/kubernetes/printable.ts";
import { createTransport } from "#src/kubernetes/transport.ts";
import { notSeen, type Observed, partlySeen, type Source, seen, type Unseen } from "#src/model/observed.ts";
import { queryAnswer, samplesOf } from "./answer.ts";

export interface PrometheusOptions {
  /** `http://prometheus:9090`, with a path where it is served below one; user and password are sent as basic auth. */
  url: URL;
  /** The instant of the audit, RFC 3339. */
  at: string;
  /** Default 15 s for each query. */
  timeoutMs?: number;
  /** Decoded bytes of one answer, default 64 MiB: series of 10,000 nodes. */
  maxBodyBytes?: number;
  /** Labels that pick the cluster's series in a Prometheus of several clusters. */
  labels?: Readonly<Record<string, string>>;
  /** Sent as they are, for a bearer token. */
  headers?: Readonly<Record<string, string>>;
  proxyEnv?: Readonly<Record<string, string | undefined>>;
}

export interface Prometheus {
  /** GET /api/v1/query, now. Whatever goes wrong is an outcome. */
  query(promql: string): Promise<Observed<Sample[]>>;
  close(): void;
}

const PATH = "/api/v1/query";
const TIMEOUT_MS = 15_000;
const BODY_BYTES = 64 * 1024 * 1024;

/** Reads a Prometheus HTTP API by GET alone: `/api/v1/query` and no other path. */
export function createPrometheus(options: PrometheusOptions): Prometheus {
  const { url, at, timeoutMs = TIMEOUT_MS, maxBodyBytes = BODY_BYTES } = options;
  const transport = createTransport({
    server: url,
    tls: {},
    headers: { ...basicAuth(url), ...options.headers },
    userAgent: "proxy-audit",
    maxConnections: 2,
    maxBodyBytes,
    ...(options.proxyEnv === undefined ? {} : { proxyEnv: options.proxyEnv }),
  });
  return {
    async query(promql) {
      const source: Source = { kind: "prometheus", ref: `${url.host} ${PATH} ${promql}`, at };
      const path = `${PATH}?${new URLSearchParams({ query: promql })}`;
      const answer = await transport.get(path, "application/json", timeoutMs);
      if (!answer.ok) return notSeen(answer.why, answer.detail, source);
      return observed(answer.value, url, source);
    },
    close: transport.close,
  };
}

function observed(answer: Answer, url: URL, source: Source): Observed<Sample[]> {
  const refused = refusal(answer, url);
  if (refused !== null) return notSeen(refused.why, refused.detail, source);
  const body = jsonOf(answer);
  const parsed = body.ok ? queryAnswer.safeParse(body.value) : null;
  if (!parsed?.success) {
    return notSeen("invalid", `${url.host}${url.pathname}: not an answer of Prometheus' query API`, source);
  }
  if (parsed.data.status === "error") {
    const { errorType, error } = parsed.data;
    const why = errorType === "timeout" || errorType === "canceled" ? "timeout" : "invalid";
    return notSeen(why, `${url.host}: ${printable(`${errorType}: ${error}`)}`, source);
  }
  const samples = samplesOf(parsed.data.data.result);
  const [warning] = parsed.data.warnings ?? [];
  return warning === undefined
    ? seen(samples, source)
    : partlySeen(samples, "invalid", `${url.host} warns: ${printable(warning)}`, source);
}

const REFUSALS: Readonly<Record<number, Unseen>> = {
  401: "unauthenticated",
  403: "forbidden",
  429: "throttled",
};

/** Null where the body says more: Prometheus answers 400, 422 and 503 with its own error object. */
function refusal({ status }: Answer, { host }: URL): { why: Unseen; detail: string } | null {
  if (status < 300 || status === 400 || status === 422 || status === 503) return null;
  if (status < 400) return { why: "invalid", detail: `${host} redirects (HTTP ${status}): not followed` };
  const why = REFUSALS[status] ?? (status >= 500 ? "unreachable" : "invalid");
  return { why, detail: `${host} answered HTTP ${status}` };
}

function basicAuth({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
