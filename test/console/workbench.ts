import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ConsoleFleet } from "#src/console/server/console-fleet.ts";
import { type Console, startConsole } from "#src/console/server/start-console.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { notSeen } from "#src/model/observed.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";

export const NOW = new Date("2026-11-30T12:00:00Z");

/** A console of a user's own fleet with these audits, ended with the test. */
export async function testConsole(
  options: { audits?: readonly ClusterAudit[]; clusters?: readonly InventoryCluster[] } = {},
): Promise<Console & { fleet: ConsoleFleet; logged: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-test-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), '<script nonce="PROXY-AUDIT-NONCE"></script>');
  await writeFile(join(folder, "assets", "index-1.js"), "1");
  await writeFile(join(folder, "secret.js"), "secret");
  const store = await openSqliteStore(join(folder, "store.sqlite"));
  for (const audit of options.audits ?? []) await store.putAudit(audit);
  const fleet: ConsoleFleet = {
    kind: "own",
    label: "the audits of your own scans",
    store,
    sources: [{ id: "test", label: "Clusters of the test", clusters: async () => options.clusters ?? [] }],
    close: () => store.close(),
  };
  const logged: string[] = [];
  const console = await startConsole({
    port: 0,
    page: folder,
    fleets: { own: async () => fleet },
    first: "own",
    now: () => NOW,
    log: (text) => logged.push(text),
  });
  onTestFinished(async () => {
    await console.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { ...console, fleet, logged };
}

export interface Answered {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** A request with exactly these headers, which `fetch` would not send: Host among them. */
export function ask(
  console: Console,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answered> {
  const { port } = new URL(console.origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, method: options.method ?? "GET", headers: options.headers ?? {} },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(options.body);
  });
}

export function withToken(console: Console, headers: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${console.token}`, ...headers };
}

/** What a route answers to somebody with the token. */
export async function json(
  console: Console,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const { status, text } = await ask(console, path, {
    method: body === undefined ? "GET" : "POST",
    headers: withToken(console, { "content-type": "application/json" }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, json: JSON.parse(text) };
}

/** The events of a stream, until it ends. */
export async function eventsOf(console: Console, path: string): Promise<unknown[]> {
  const { text } = await ask(console, path, { headers: withToken(console) });
  return text
    .split("\n\n")
    .filter((part) => part.startsWith("data: "))
    .map((part) => JSON.parse(part.slice("data: ".length)));
}

/** A cluster that is found and never answers. */
export function darkCluster(name: string): InventoryCluster {
  const at = NOW.toISOString();
  return {
    id: `kubeconfig:${name}`,
    name,
    account: null,
    region: null,
    team: "payments",
    environment: "production",
    answers: [],
    open: async () =>
      notSeen("unreachable", "connection refused", { kind: "kubernetes", ref: `kubeconfig:${name}`, at }),
  };
}
