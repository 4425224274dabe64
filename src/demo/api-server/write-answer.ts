import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Answer } from "./status.ts";

const compress = promisify(gzip);

/** Bodies above this are compressed where the client accepts it (apiserver, defaultGzipThresholdBytes). */
const GZIP_ABOVE_BYTES = 128 * 1024;
/** Bodies up to this fit the server's write buffer and get a Content-Length; larger ones are chunked. */
const BUFFERED_BYTES = 4096;
/** Clients of people, for whom the server indents its JSON (apiserver, isPrettyPrint). */
const PEOPLE = /^(curl|Wget|Mozilla\/5\.0)/;

const FLOW_SCHEMA = randomUUID();
const PRIORITY_LEVEL = randomUUID();

/** Writes `answer` with the headers that every answer of an API server has; resolves when it is handed over. */
export async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  truncate?: number,
): Promise<void> {
  const body = Buffer.from(isForPeople(request, answer) ? indented(answer.body) : answer.body);
  const gzipped = body.length > GZIP_ABOVE_BYTES && acceptsGzip(request);
  const sent = gzipped ? await compress(body, { level: 1 }) : body;
  if (response.destroyed) return;

  response.statusCode = answer.status;
  response.setHeader("Audit-Id", randomUUID());
  response.setHeader("Cache-Control", "no-cache, private");
  response.setHeader("Content-Type", answer.contentType);
  // Requests are sorted into flows after authentication, so a refused token has none.
  if (answer.status !== 401) {
    response.setHeader("X-Kubernetes-Pf-Flowschema-Uid", FLOW_SCHEMA);
    response.setHeader("X-Kubernetes-Pf-Prioritylevel-Uid", PRIORITY_LEVEL);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (gzipped) {
    response.setHeader("Content-Encoding", "gzip");
    response.setHeader("Vary", "Accept-Encoding");
  }
  if (truncate !== undefined) {
    response.setHeader("Content-Length", sent.length);
    response.write(sent.subarray(0, truncate), () => response.destroy());
    return;
  }
  // Written and ended apart, Node sends the body chunked.
  if (sent.length <= BUFFERED_BYTES) response.setHeader("Content-Length", sent.length);
  response.write(sent);
  response.end();
}

function acceptsGzip(request: IncomingMessage): boolean {
  return /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
}

function isForPeople(request: IncomingMessage, answer: Answer): boolean {
  return answer.contentType === "application/json" && PEOPLE.test(request.headers["user-agent"] ?? "");
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
