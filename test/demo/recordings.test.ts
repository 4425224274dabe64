import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objectsOf } from "#src/demo/api-server/kubernetes-object.ts";
import type { ApiServer } from "#src/demo/api-server/options.ts";
import { rulesFromManifests } from "#src/demo/api-server/rbac.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readManifest } from "#src/demo/manifests.ts";
import { send } from "./client.ts";

/**
 * Raw answers of a kube-apiserver 1.36.3 (5,000 nodes, 72 Services), asked by several users. The demo's server is
 * loaded with the objects that the answers show, and fillers for the counts, and must give the same answers.
 */
const RECORDINGS = new URL("../fixtures/recordings/kube-apiserver-1.36/", import.meta.url);
const CASES = readdirSync(RECORDINGS)
  .filter((name) => name.endsWith(".request"))
  .map((name) => name.replace(/\.request$/, ""));

/** Compared word for word; identifiers (Audit-Id, priority and fairness) only for being there. Date and framing are not. */
const SAME_HEADERS = [
  "content-type",
  "cache-control",
  "content-encoding",
  "vary",
  "retry-after",
  "x-content-type-options",
];
const PRESENT_HEADERS = [
  "audit-id",
  "x-kubernetes-pf-flowschema-uid",
  "x-kubernetes-pf-prioritylevel-uid",
  "content-length",
];

let server: ApiServer;

beforeAll(async () => {
  const rbac = objectsOf(readManifest("infra/kubernetes/rbac.yaml").map(({ value }) => value)).objects;
  server = await startApiServer({
    objects: recordedObjects(),
    version: JSON.parse(recordedBody("version")),
    resourceVersion: 20723,
    now: () => new Date("2026-11-30T16:22:01Z"),
    users: {
      auditor: { name: "auditor", rules: rulesFromManifests(rbac, { group: "proxy-audit" }) },
      nobody: { name: "nobody", rules: [] },
      throttled: { name: "throttled", rules: [] },
      admin: { name: "admin", rules: "all" },
    },
    faults: [{ match: { user: "throttled" }, effect: { status: 429, retryAfterSeconds: 1 } }],
  });
});
afterAll(() => server.close());

describe("answers as a kube-apiserver 1.36.3 does", () => {
  // The recorded token had been given out by the same server; it was compacted away in between.
  it.each(CASES.filter((name) => name !== "410-expired-continue"))("%s", async (name) => {
    await expectSameAnswer(name);
  });

  it("410-expired-continue", async () => {
    server.setFaults([{ match: { continued: true }, times: 1, effect: { expireContinue: "fresh" } }]);
    await expectSameAnswer("410-expired-continue");
    server.setFaults([{ match: { user: "throttled" }, effect: { status: 429, retryAfterSeconds: 1 } }]);
  });
});

async function expectSameAnswer(name: string): Promise<void> {
  const { path, user, accept, gzip } = recordedRequest(name);
  const answer = await send(server, path, {
    accept,
    ...(user === "anonymous" ? {} : { token: user }),
    headers: gzip ? { "accept-encoding": "gzip" } : {},
  });
  const body = answer.headers["content-encoding"] === "gzip" ? gunzipSync(answer.body) : answer.body;

  const recorded = recordedHeaders(name);
  expect({ status: answer.status, ...headerFacts(answer.headers) }).toEqual({
    status: recorded.status,
    ...headerFacts(recorded.headers),
  });
  expect(body.toString()).toBe(recordedBody(name));
}

function headerFacts(headers: Record<string, string>): Record<string, string | boolean | undefined> {
  return {
    ...Object.fromEntries(SAME_HEADERS.map((name) => [name, headers[name]])),
    ...Object.fromEntries(PRESENT_HEADERS.map((name) => [`has ${name}`, headers[name] !== undefined])),
  };
}

function recordedRequest(name: string): { path: string; user: string; accept: string; gzip: boolean } {
  const text = readFileSync(new URL(`${name}.request`, RECORDINGS), "utf8");
  const [, path = "", user = "", accept = ""] = /^GET (\S+) as (\w+), Accept: (\S+)/.exec(text) ?? [];
  return { path, user, accept, gzip: text.includes("Accept-Encoding: gzip") };
}

function recordedHeaders(name: string): { status: number; headers: Record<string, string> } {
  const [first = "", ...lines] = readFileSync(new URL(`${name}.headers`, RECORDINGS), "utf8").split(/\r?\n/);
  const headers = lines.flatMap((line) => {
    const [, key, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key.toLowerCase(), value.trim()] as const];
  });
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(headers) };
}

function recordedBody(name: string): string {
  const raw = readFileSync(new URL(`${name}.body`, RECORDINGS));
  return (raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw).toString();
}

/** The objects in the recorded bodies, and as many more behind them as the counts say there were. */
function recordedObjects(): unknown[] {
  const shown = [
    "nodes-limit20-gzip",
    "services-limit3",
    "services-limit3-page2",
    "daemonsets-kube-proxy",
    "configmap-kube-proxy",
  ].map((name) => JSON.parse(recordedBody(name)));
  const nodes = Array.from({ length: 4_980 }, (_, number) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `ip-10-65-${Math.floor(number / 256)}-${number % 256}.eu-west-1.compute.internal` },
  }));
  const services = Array.from({ length: 66 }, (_, number) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: `filler-${number}`, namespace: "filler" },
  }));
  return [...shown, ...nodes, ...services];
}
