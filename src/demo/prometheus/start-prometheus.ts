import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sample } from "#src/kubernetes/metrics-text.ts";
import { parseSelector } from "./selector.ts";

export interface DemoPrometheus {
  url: string;
  /** `GET /api/v1/query?query=...`, in the order in which they came. */
  requests: readonly string[];
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/**
 * As much of Prometheus' HTTP API as a reader of series needs: GET /api/v1/query with a bare selector, over HTTP on
 * loopback. Other queries are refused as Prometheus refuses what it cannot parse (400, `bad_data`).
 */
export async function startPrometheus(
  series: readonly Sample[],
  options: { now?: () => Date } = {},
): Promise<DemoPrometheus> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? "/", `http://${LOOPBACK}`);
    if (url.pathname !== "/api/v1/query") return send(response, 404, "404 page not found\n");
    if (request.method !== "GET") return send(response, 405, "Method Not Allowed\n");
    const query = url.searchParams.get("query") ?? "";
    const selects = parseSelector(query);
    if (selects === null) {
      const error = `invalid parameter "query": only selectors such as {__name__="up"} are answered`;
      return send(response, 400, { status: "error", errorType: "bad_data", error });
    }
    const at = (options.now?.() ?? new Date()).getTime() / 1_000;
    const result = series.filter(selects).map(({ name, labels, value }) => ({
      metric: { __name__: name, ...labels },
      value: [at, String(value)],
    }));
    send(response, 200, { status: "success", data: { resultType: "vector", result } });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: string | object): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) }).end(text);
}
