import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ProxyAuditError } from "#src/model/errors.ts";
import { type ConsoleFleet, type FleetKind, type FleetOpeners, openFleets } from "./console-fleet.ts";
import { giveDemoItsPast } from "./demo-fleet.ts";
import { clustersOf, fleetRoutes } from "./fleet-routes.ts";
import { refusalByOrigin, refusalByToken } from "./guard.ts";
import { failureOf, jsonBodyOf, type Route, writeJson } from "./http.ts";
import { servePage } from "./page-files.ts";
import { scanJobs } from "./scan-jobs.ts";
import type { SlackDesk } from "./slack-desk.ts";
import { slackRoutes } from "./slack-routes.ts";

const LOOPBACK = "127.0.0.1";

export interface ConsoleOptions {
  /** 0 takes a free one. */
  port: number;
  /** The folder of the built page. */
  page: string;
  fleets: FleetOpeners;
  first: FleetKind;
  now: () => Date;
  /** Told what the page is not told: failures that nobody expected. */
  log: (text: string) => void;
}

export interface Console {
  /** With the token: whoever has it may read the fleet and scan it. */
  url: string;
  origin: string;
  token: string;
  close(): Promise<void>;
}

/**
 * The console on loopback: the page, and the API behind it, for this run's token alone.
 *
 * @throws ProxyAuditError `usage` where the port is taken.
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const token = randomBytes(24).toString("base64url");
  const fleets = await openFleets(options.fleets, options.first);
  const pasts = new Set<ConsoleFleet>();
  const jobs = scanJobs(options.now, async (fleet) => {
    if (fleet.kind !== "demo" || pasts.has(fleet)) return;
    pasts.add(fleet);
    await giveDemoItsPast(fleet.store, options.now());
  });
  const desks = new Map<ConsoleFleet, Promise<SlackDesk>>();
  const desk = () => {
    const fleet = fleets.current();
    const known = desks.get(fleet);
    if (known !== undefined) return known;
    const opening = openDesk(fleet, options);
    desks.set(fleet, opening);
    // What failed once may work the next time.
    opening.catch(() => desks.delete(fleet));
    return opening;
  };
  const routes = [
    ...fleetRoutes({ fleets, jobs, now: options.now }),
    ...slackRoutes({ desk, store: () => fleets.current().store, now: options.now }),
  ];

  const server = createServer((request, response) => {
    respond(request, response, { ...options, routes, token, port: port() }).catch((error: unknown) => {
      const { status, json } = failureOf(error);
      if (status === 500) options.log(error instanceof Error ? `${error.stack}\n` : `${String(error)}\n`);
      if (response.headersSent) response.destroy();
      else writeJson(response, status, json);
    });
  });
  const port = () => (server.address() as AddressInfo).port;
  try {
    await listen(server, options.port);
  } catch (error) {
    await fleets.close();
    throw error;
  }
  if (options.first === "demo") jobs.start(fleets.current(), await clustersOf(fleets.current()));
  const origin = `http://${LOOPBACK}:${port()}`;
  return {
    origin,
    token,
    url: `${origin}/#token=${token}`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      for (const opened of desks.values()) await (await opened).close();
      await fleets.close();
    },
  };
}

/** Bolt and all that comes with it, once somebody looks at the Slack side. */
async function openDesk(fleet: ConsoleFleet, options: ConsoleOptions): Promise<SlackDesk> {
  const { openSlackDesk } = await import("./slack-desk.ts");
  return openSlackDesk(fleet, options);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  {
    routes,
    token,
    port,
    page,
  }: { routes: readonly Route[]; token: string; port: number } & Pick<ConsoleOptions, "page">,
): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${LOOPBACK}:${port}`);
  const api = url.pathname.startsWith("/api/");
  const refusal =
    refusalByOrigin(request.headers, port) ?? (api ? refusalByToken(request.headers, token) : null);
  if (refusal !== null) {
    const code = refusal.status === 401 ? "token" : "refused";
    return writeJson(response, refusal.status, { error: { code, message: refusal.message } });
  }
  if (!api) {
    if (request.method === "GET") return await servePage(page, url.pathname, response);
    return writeJson(response, 405, { error: { code: "usage", message: "only GET" } });
  }
  const matching = routes.filter((route) => route.path.test(url.pathname));
  const route = matching.find((one) => one.method === request.method);
  if (route === undefined) {
    const status = matching.length === 0 ? 404 : 405;
    return writeJson(response, status, { error: { code: "not-found", message: "there is no such address" } });
  }
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  const answer = await route.answer({
    url,
    parts: (route.path.exec(url.pathname) ?? []).slice(1).map(decoded),
    body: await jsonBodyOf(request),
    closed: closed.signal,
  });
  if ("stream" in answer) answer.stream(response);
  else writeJson(response, answer.status ?? 200, answer.json);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new ProxyAuditError("usage", "that address is not well-formed.", { cause });
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new ProxyAuditError(
              "usage",
              `port ${port} is taken: is a console running already? Choose another with --port.`,
              { cause: error },
            )
          : error,
      );
    });
    server.listen(port, LOOPBACK, resolve);
  });
}
