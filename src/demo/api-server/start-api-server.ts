import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { answerTo, type Caller, expiredAnswer, userNameOf } from "./answer.ts";
import { loopbackCertificate } from "./certificate.ts";
import { type Fault, faultTable } from "./faults.ts";
import { objectIndex } from "./object-index.ts";
import type { ApiServer, ApiServerOptions, LoggedRequest } from "./options.ts";
import {
  type Answer,
  internalError,
  jsonAnswer,
  methodNotAllowed,
  textAnswer,
  tooManyRequests,
} from "./status.ts";
import { writeAnswer } from "./write-answer.ts";

const LOOPBACK = "127.0.0.1";

/**
 * A read-only Kubernetes API server over HTTPS on loopback: serves `objects` as a kube-apiserver 1.36 serves
 * them, refuses every method but GET, and fails on request (`faults`). What it answers is held against raw
 * answers of a real server in test/demo/recordings.test.ts.
 *
 * @example
 * const server = await startApiServer({ objects, version: { gitVersion: "v1.36.3" }, users: { secret: { name: "me", rules: "all" } } });
 * // GET `${server.url}/api/v1/nodes` with `Authorization: Bearer secret`, trusting `server.ca`
 * await server.close();
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const index = objectIndex(options.objects, options.installed);
  const { certificate, privateKey } = await loopbackCertificate();
  const requests: LoggedRequest[] = [];
  let faults = faultTable(options.faults ?? []);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const url = new URL(request.url ?? "/", `https://${LOOPBACK}`);
    const path = `${url.pathname}${url.search}`;
    const caller = callerOf(request.headers.authorization, options);
    const user = userNameOf(caller);
    const log = (status: number): number => requests.push({ method, path, user, status });

    const fault = faults.next({ path, user, continued: url.searchParams.has("continue") });
    if (fault?.hang) {
      log(0);
      return;
    }
    if (fault?.delayMs !== undefined) await pause(fault.delayMs);
    const now = options.now?.() ?? new Date();
    const answer =
      method === "GET"
        ? (faultyAnswer(fault, url) ??
          answerTo({ url, accept: request.headers.accept, caller, now }, index, options))
        : methodNotAllowed();
    log(answer.status);
    await writeAnswer(request, response, answer, fault?.truncate);
  }

  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    request.resume();
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else writeAnswer(request, response, internalError(String(error))).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://${LOOPBACK}:${port}`,
    port,
    ca: certificate,
    requests,
    writesRefused: () => requests.filter(({ method }) => method !== "GET").length,
    setFaults(next: readonly Fault[]) {
      faults = faultTable(next);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function callerOf(authorization: string | undefined, { users, authenticate }: ApiServerOptions): Caller {
  if (authorization === undefined) return "anonymous";
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? "";
  const known = Object.hasOwn(users, token) ? users[token] : authenticate?.(token);
  return known ?? "bad-token";
}

/** What a fault answers in the server's place, or undefined where it only slows or cuts the true answer. */
function faultyAnswer(fault: Fault["effect"] | undefined, url: URL): Answer | undefined {
  if (fault === undefined) return undefined;
  if (fault.expireContinue !== undefined) return expiredAnswer(url, fault.expireContinue);
  if (fault.garbage) return jsonAnswer("<html><body>It works!</body></html>");
  if (fault.status === undefined) return undefined;
  const headers = {
    ...(fault.retryAfterSeconds === undefined ? {} : { "Retry-After": String(fault.retryAfterSeconds) }),
    ...(fault.location === undefined ? {} : { Location: fault.location }),
  };
  if (fault.status === 429) return tooManyRequests(fault.retryAfterSeconds);
  if (fault.status === 500) return internalError("etcdserver: request timed out");
  return textAnswer(fault.status, TEXT_OF[fault.status] ?? "\n", headers);
}

const TEXT_OF: Readonly<Record<number, string>> = {
  502: "Bad Gateway\n",
  503: "Service Unavailable\n",
  504: "Gateway Timeout\n",
};
