import type { RequestListener } from "node:http";
import { afterEach } from "vitest";
import type { Clock } from "#src/kubernetes/clock.ts";
import {
  createHttpsReader,
  type HttpsReader,
  type HttpsReaderOptions,
} from "#src/kubernetes/https-reader.ts";
import { startApiServer, type TestApiServer, tlsFile } from "./api-server.ts";

export const AT = "2026-11-30T16:00:00.000Z";

const openServers: TestApiServer[] = [];
const openReaders: HttpsReader[] = [];

afterEach(async () => {
  await Promise.all(openReaders.splice(0).map((reader) => reader.close()));
  await Promise.all(openServers.splice(0).map((server) => server.close()));
});

/** Time stands still, but for the sleeps, which are written down. */
export function heldClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  let now = Date.parse(AT);
  return {
    slept,
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
    random: () => 0,
  };
}

/** A server that ends with the test. */
export async function serve(listener: RequestListener): Promise<TestApiServer> {
  const server = await startApiServer(listener);
  openServers.push(server);
  return server;
}

/** A reader that trusts the test CA and ends with the test. */
export function readerOf(server: { url: string }, options: Partial<HttpsReaderOptions> = {}): HttpsReader {
  const reader = createHttpsReader({
    server: server.url,
    tls: { ca: tlsFile("ca.pem") },
    clock: heldClock(),
    ...options,
  });
  openReaders.push(reader);
  return reader;
}
