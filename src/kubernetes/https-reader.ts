import { z } from "zod";
import { notSeen, type Observed, type Source, seen } from "#src/model/observed.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { ClusterReader, PodLogRequest, VersionInfo } from "./cluster-reader.ts";
import { listCollection, queryOf } from "./collection.ts";
import { type Answer, failed, jsonOf, type Outcome, refusalOf } from "./outcome.ts";
import { createRequests } from "./requests.ts";
import { RESOURCES, type Resource, resourcePath } from "./resources.ts";
import { createTransport, type TransportOptions, type TransportStats } from "./transport.ts";

export interface HttpsReaderOptions
  extends Partial<Pick<TransportOptions, "tls" | "headers" | "agent" | "proxyEnv" | "userAgent">> {
  /** Address of the API server: `https://host:port`, with a path where there is one. */
  server: string;
  /** For one request with its body; default 15 s. */
  requestTimeoutMs?: number;
  /** For the whole cluster, from the first request on; default 60 s. */
  deadlineMs?: number;
  /** Decoded bytes of one answer; default 64 MiB. */
  maxBodyBytes?: number;
  /** Default 2: an audit must not be felt by the cluster. */
  maxConnections?: number;
  clock?: Clock;
}

export interface HttpsReader extends ClusterReader {
  /** What the reading has cost so far. */
  stats(): TransportStats;
}

/** Where kube-proxy serves metrics and `/proxyMode`, unless its configuration says otherwise. */
const METRICS_PORT = 10249;
const MODE_BYTES = 64;
const JSON_ONLY = "application/json";
/** As kubectl asks for logs. */
const JSON_OR_ANY = "application/json, */*";
const ACCEPT_OBJECT = {
  objects: JSON_ONLY,
  metadata: `application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,${JSON_ONLY}`,
} as const;

const versionSchema = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string() });
const objectSchema = z.looseObject({ kind: z.string(), metadata: z.looseObject({}) });

/** Reads a cluster through its API server, by GET alone. */
export function createHttpsReader(options: HttpsReaderOptions): HttpsReader {
  const server = new URL(options.server);
  const clock = options.clock ?? systemClock;
  const closing = new AbortController();
  const transport = createTransport(transportOptions(options, server));
  const request = createRequests(transport, {
    requestTimeoutMs: options.requestTimeoutMs ?? 15_000,
    deadlineMs: options.deadlineMs ?? 60_000,
    maxConnections: options.maxConnections ?? 2,
    clock,
    closed: closing.signal,
  });

  function sourceOf(ref: string): Source {
    return { kind: "kubernetes", ref, at: clock.now().toISOString() };
  }

  /** A GET whose only good answer is 200. */
  async function answerTo(path: string, accept: string): Promise<Outcome<Answer>> {
    const outcome = await request(path, accept);
    return outcome.ok ? (refusalOf(outcome.value, server) ?? outcome) : outcome;
  }

  async function version(): Promise<Observed<VersionInfo>> {
    const source = sourceOf("/version");
    const body = parsed(await answerTo("/version", JSON_ONLY), versionSchema, "a Kubernetes version");
    // Every API server has a version: an address without one is something else.
    if (!body.ok && body.why === "absent") {
      return notSeen("invalid", `${server.host} has no /version: not a Kubernetes API server`, source);
    }
    return observed(body, source);
  }

  async function get(
    resource: Resource,
    at: { namespace?: string; name: string },
    as: keyof typeof ACCEPT_OBJECT = "objects",
  ): Promise<Observed<unknown>> {
    const path = resourcePath(resource, at);
    const source = sourceOf(path);
    const kinds = as === "metadata" ? [resource.kind, "PartialObjectMetadata"] : [resource.kind];
    const schema = objectSchema.refine(({ kind }) => kinds.includes(kind));
    const body = parsed(await answerTo(path, ACCEPT_OBJECT[as]), schema, `a ${resource.kind}`);
    return observed<unknown>(body, source);
  }

  async function podLog({ namespace, pod, container, limitBytes }: PodLogRequest): Promise<Observed<string>> {
    const log = `${resourcePath(RESOURCES.pods, { namespace, name: pod })}/log`;
    const source = sourceOf(log + queryOf({ container }));
    const path = log + queryOf({ container, limitBytes: String(limitBytes) });
    return textOf(path, "a log", source, limitBytes);
  }

  async function podProxyMode({
    namespace,
    pod,
  }: {
    namespace: string;
    pod: string;
  }): Promise<Observed<string>> {
    // The port belongs to the name: `kube-proxy-x:10249`.
    const path = `${resourcePath(RESOURCES.pods, { namespace, name: pod })}:${METRICS_PORT}/proxy/proxyMode`;
    return textOf(path, "a mode", sourceOf(path), MODE_BYTES);
  }

  async function textOf(
    path: string,
    what: string,
    source: Source,
    limitBytes: number,
  ): Promise<Observed<string>> {
    const answer = await answerTo(path, JSON_OR_ANY);
    if (!answer.ok) return observed(answer, source);
    if (answer.value.contentType.startsWith("text/html")) {
      return notSeen("invalid", `a web page instead of ${what}`, source);
    }
    return seen(answer.value.body.subarray(0, limitBytes).toString("utf8"), source);
  }

  return {
    version,
    get,
    list: (wanted, fold) => listCollection(wanted, fold, { request, server, clock }),
    podLog,
    podProxyMode,
    close: async () => {
      closing.abort();
      transport.close();
    },
    stats: transport.stats,
  };
}

function transportOptions(options: HttpsReaderOptions, server: URL): TransportOptions {
  return {
    server,
    tls: options.tls ?? {},
    headers: options.headers ?? {},
    userAgent: options.userAgent ?? "proxy-audit",
    maxConnections: options.maxConnections ?? 2,
    maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.proxyEnv === undefined ? {} : { proxyEnv: options.proxyEnv }),
  };
}

/** The body, if it is what was asked for: a 200 alone proves nothing. */
function parsed<T>(answer: Outcome<Answer>, schema: z.ZodType<T>, wanted: string): Outcome<T> {
  if (!answer.ok) return answer;
  const body = jsonOf(answer.value);
  if (!body.ok) return body;
  const result = schema.safeParse(body.value);
  return result.success ? { ok: true, value: result.data } : failed("invalid", `the answer is not ${wanted}`);
}

function observed<T>(outcome: Outcome<T>, source: Source): Observed<T> {
  return outcome.ok ? seen(outcome.value, source) : notSeen(outcome.why, outcome.detail, source);
}
