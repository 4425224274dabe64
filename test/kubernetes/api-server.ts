import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

const fixtures = new URL("../fixtures/", import.meta.url);

/** Test-only certificates: `ca.pem`, `server.pem`, `client.pem`, `other-ca.pem` and the keys of the two leaves. */
export function tlsFile(name: string): string {
  return readFileSync(new URL(`tls/${name}`, fixtures), "utf8");
}

/** The body of a recorded answer of kube-apiserver 1.36. */
export function recorded(name: string): string {
  return readFileSync(new URL(`recordings/kube-apiserver-1.36/${name}.body`, fixtures), "utf8");
}

export interface TestApiServer {
  url: string;
  host: string;
  /** Paths with query, in the order they were asked for. */
  asked: string[];
  requests: IncomingMessage[];
  /** TLS connections that were made. */
  connections(): number;
  close(): Promise<void>;
}

/** A real HTTPS server on 127.0.0.1 that answers with `listener`. Client certificates are asked for, as an API server does. */
export async function startApiServer(listener: RequestListener): Promise<TestApiServer> {
  const asked: string[] = [];
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = https.createServer(
    {
      cert: tlsFile("server.pem"),
      key: tlsFile("server-key.pem"),
      ca: tlsFile("ca.pem"),
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      asked.push(request.url ?? "");
      requests.push(request);
      listener(request, response);
    },
  );
  server.on("secureConnection", () => {
    connections += 1;
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    requests,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Who the server takes the client for, from its certificate; null without a trusted one. */
export function clientOf(request: IncomingMessage): string | null {
  const socket = request.socket as TLSSocket;
  if (!socket.authorized) return null;
  return String(socket.getPeerCertificate().subject.CN);
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
