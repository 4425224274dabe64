import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { send } from "./client.ts";

let server: ApiServer;
beforeAll(async () => {
  const node = (name: string): unknown => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
  server = await startApiServer({
    objects: ["a", "b", "c", "d", "e", "f"].map(node),
    version: { gitVersion: "v1.35.1" },
    users: { t: { name: "t", rules: "all" } },
  });
});
afterAll(() => server.close());

const NODES = "/api/v1/nodes?limit=2";

async function statuses(count: number, path = NODES): Promise<number[]> {
  const seen: number[] = [];
  for (let i = 0; i < count; i++) seen.push((await send(server, path, { token: "t" })).status);
  return seen;
}

async function page(path: string): Promise<{ status: number; token: string | undefined; names: string[] }> {
  const { status, body } = await send(server, path, { token: "t" });
  const { metadata, items = [] } = JSON.parse(body.toString());
  return {
    status,
    token: metadata.continue,
    names: items.map((item: { metadata: { name: string } }) => item.metadata.name),
  };
}

describe("faults", () => {
  it("happen as often as asked, after as many good answers as asked", async () => {
    server.setFaults([
      { match: { path: "/nodes" }, after: 1, times: 2, effect: { status: 503, retryAfterSeconds: 3 } },
    ]);
    expect(await statuses(4)).toEqual([200, 503, 503, 200]);
  });

  it("match by path, pattern and user only", async () => {
    server.setFaults([{ match: { path: /^\/version$/, user: "t" }, effect: { status: 503 } }]);
    expect([
      await statuses(1),
      await statuses(1, "/version"),
      (await send(server, "/version")).status,
    ]).toEqual([[200], [503], 200]);
  });

  it("expire a continue token, with one to go on inconsistently from the same place", async () => {
    server.setFaults([{ match: { continued: true }, times: 1, effect: { expireContinue: "fresh" } }]);
    const first = await page(NODES);
    const expired = await page(`${NODES}&continue=${first.token}`);
    const rest = await page(`${NODES}&continue=${expired.token}`);
    expect([first.names, expired.status, rest.names]).toEqual([["a", "b"], 410, ["c", "d"]]);
  });

  it("expire a continue token without another one", async () => {
    server.setFaults([{ match: { continued: true }, effect: { expireContinue: "none" } }]);
    const first = await page(NODES);
    expect(await page(`${NODES}&continue=${first.token}`)).toEqual({
      status: 410,
      token: undefined,
      names: [],
    });
  });

  it("break off an answer, so that the client sees an error and not a short list", async () => {
    server.setFaults([{ match: {}, effect: { truncate: 40 } }]);
    await expect(send(server, NODES, { token: "t" })).rejects.toThrow(/aborted|hang up/);
  });

  it("answer 200 with something that is not JSON", async () => {
    server.setFaults([{ match: {}, effect: { garbage: true } }]);
    const { status, headers, body } = await send(server, NODES, { token: "t" });
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(() => JSON.parse(body.toString())).toThrow(SyntaxError);
  });

  it("redirect", async () => {
    server.setFaults([{ match: {}, effect: { status: 302, location: "https://example.com/" } }]);
    const { status, headers } = await send(server, NODES, { token: "t" });
    expect([status, headers.location]).toEqual([302, "https://example.com/"]);
  });

  it("hang until the client gives up or the server closes", async () => {
    server.setFaults([{ match: {}, times: 1, effect: { hang: true } }]);
    const hanging = send(server, NODES, { token: "t" }).then(
      () => "answered",
      () => "broken off",
    );
    const waited = new Promise((resolve) => setTimeout(() => resolve("still waiting"), 150));
    expect(await Promise.race([hanging, waited])).toBe("still waiting");
  });

  it("delay an answer that is right otherwise", async () => {
    server.setFaults([{ match: {}, effect: { delayMs: 80 } }]);
    const began = performance.now();
    expect(await statuses(1)).toEqual([200]);
    expect(performance.now() - began).toBeGreaterThan(75);
  });
});
