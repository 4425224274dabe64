import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { ProxyAuditError, type ProxyAuditErrorCode } from "#src/model/errors.ts";
import { plain } from "#src/report/text.ts";
import { ALWAYS } from "./security-headers.ts";

const MOST_BYTES = 256 * 1_024;

/** What a route answers: JSON, or a stream that it writes itself. */
export type Answer = { json: unknown; status?: number } | { stream: (response: ServerResponse) => void };

export interface Asked {
  url: URL;
  /** What the route's pattern captured, decoded. */
  parts: readonly string[];
  body: unknown;
  /** Ends with the request, for streams. */
  closed: AbortSignal;
}

export interface Route {
  method: "GET" | "POST" | "DELETE";
  path: RegExp;
  answer: (asked: Asked) => Promise<Answer> | Answer;
}

const STATUS: Partial<Record<ProxyAuditErrorCode, number>> = {
  usage: 400,
  "not-found": 404,
  "no-clusters": 404,
  "invalid-kubeconfig": 422,
  "store-unavailable": 503,
};

/** An error as the page shows it: what is wrong and what to do; nothing of the inside for what is unexpected. */
export function failureOf(error: unknown): { status: number; json: unknown } {
  if (error instanceof ProxyAuditError) {
    return {
      status: STATUS[error.code] ?? 500,
      json: { error: { code: error.code, message: plain(error.message) } },
    };
  }
  return {
    status: 500,
    json: {
      error: {
        code: "unexpected",
        message: "The console failed at this. Its terminal shows where; reloading the page is safe.",
      },
    },
  };
}

export function writeJson(response: ServerResponse, status: number, json: unknown): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, {
    ...ALWAYS,
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    "cache-control": "no-store",
  });
  response.end(body);
}

/** The JSON body of a request. Throws `usage` for what is none, or too long. */
export async function jsonBodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.method === "GET" || request.method === "DELETE") return undefined;
  if (request.headers["content-type"]?.split(";")[0] !== "application/json") {
    throw new ProxyAuditError("usage", "send JSON.");
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw new ProxyAuditError("usage", `send at most ${MOST_BYTES} bytes.`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch (cause) {
    throw new ProxyAuditError("usage", "that is no JSON.", { cause });
  }
}

/** The body in the shape that a route expects. Throws `usage`. */
export function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ProxyAuditError(
    "usage",
    `${issue?.path.join(".") ?? "the request"}: ${issue?.message ?? "wrong"}`,
  );
}
