import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Fold } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { recorded, sendJson } from "./api-server.ts";
import { AT, readerOf, serve } from "./reader-under-test.ts";

const source = { kind: "kubernetes", ref: "/api/v1/nodes", at: AT };
const nodes = { resource: RESOURCES.nodes, pageSize: 2 };

/** The names of the objects, or the first cells of the table. */
const names: Fold<string[]> = {
  start: () => [],
  add: (value, page) => {
    const found =
      page.kind === "table"
        ? page.rows.map(([name]) => String(name))
        : page.items.map((item) => (item as { metadata: { name: string } }).metadata.name);
    value.push(...found);
  },
};

interface PageBody {
  names?: string[];
  next?: string;
  remaining?: number;
}

function nodeList({ names = [], next, remaining }: PageBody) {
  return {
    kind: "NodeList",
    apiVersion: "v1",
    metadata: { continue: next, remainingItemCount: remaining },
    items: names.map((name) => ({ metadata: { name } })),
  };
}

/** Answers by continue token ("" for the first page); a list of answers is used up in turn. */
function pagesBy(answers: Record<string, (PageBody | { status: number; body: unknown })[]>) {
  return serve((request: IncomingMessage, response: ServerResponse) => {
    const token = new URL(request.url ?? "", "https://x").searchParams.get("continue") ?? "";
    const queue = answers[token] ?? [];
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    if (answer === undefined) sendJson(response, { kind: "Status", message: "no such token" }, 400);
    else if ("status" in answer) sendJson(response, answer.body, answer.status);
    else sendJson(response, nodeList(answer));
  });
}

function expiredWith(token: string | undefined) {
  return {
    status: 410,
    body: { kind: "Status", metadata: { continue: token }, message: "too old", reason: "Expired", code: 410 },
  };
}

describe("a list", () => {
  it("is read page by page", async () => {
    const server = await pagesBy({
      "": [{ names: ["a", "b"], next: "t1", remaining: 1 }],
      t1: [{ names: ["c"] }],
    });
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: true,
      value: { value: ["a", "b", "c"], count: 3, remaining: 0 },
      source,
    });
    expect(server.asked).toEqual(["/api/v1/nodes?limit=2", "/api/v1/nodes?limit=2&continue=t1"]);
  });

  it("takes the recorded pages of an API server", async () => {
    const server = await serve((request, response) =>
      sendJson(response, recorded(request.url?.includes("continue") ? "nodes-limit2-page2" : "nodes-limit2")),
    );
    const outcome = await readerOf(server).list({ ...nodes, atMost: 4 }, names);
    expect(outcome).toEqual({
      seen: true,
      value: {
        value: [0, 1, 10, 100].map((n) => `ip-10-64-0-${n}.eu-west-1.compute.internal`),
        count: 4,
        remaining: 4_996,
      },
      source,
    });
  });

  it.each([
    { what: "an empty list", items: [] },
    { what: "Go's null for an empty list", items: null },
  ])("may be empty: $what", async ({ items }) => {
    const server = await serve((_, response) =>
      sendJson(response, { kind: "NodeList", metadata: {}, items }),
    );
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: true,
      value: { value: [], count: 0, remaining: 0 },
      source,
    });
  });

  it.each([
    { what: "no items", body: { kind: "NodeList", metadata: {} } },
    { what: "another kind", body: { kind: "PodList", metadata: {}, items: [] } },
    { what: "a refusal sent with 200", body: { kind: "Status", status: "Failure" } },
    { what: "metadata where objects were asked for", body: { kind: "PartialObjectMetadataList", items: [] } },
    {
      what: "a table where objects were asked for",
      body: { kind: "Table", rows: [], columnDefinitions: [] },
    },
  ])("is never empty by mistake: $what", async ({ body }) => {
    const server = await serve((_, response) => sendJson(response, body));
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: false,
      why: "invalid",
      detail: "the answer is not a list of nodes",
      source,
    });
  });

  it("stops at the number asked for, and says how many are left", async () => {
    const server = await pagesBy({
      "": [{ names: ["a", "b"], next: "t1", remaining: 9 }],
      // This server does not keep to the limit of 1.
      t1: [{ names: ["c", "d"], next: "t2", remaining: 7 }],
    });
    expect(await readerOf(server).list({ ...nodes, atMost: 3 }, names)).toEqual({
      seen: true,
      value: { value: ["a", "b", "c"], count: 3, remaining: 8 },
      source,
    });
    expect(server.asked.at(-1)).toBe("/api/v1/nodes?limit=1&continue=t1");
  });

  it("does not guess how many are left where the server does not say", async () => {
    const server = await pagesBy({ "": [{ names: ["a"], next: "t1" }] });
    expect(await readerOf(server).list({ ...nodes, atMost: 1 }, names)).toEqual({
      seen: true,
      value: { value: ["a"], count: 1, remaining: null },
      source,
    });
  });

  it("names its selectors and namespace in the source, but no token", async () => {
    const server = await serve((_, response) =>
      sendJson(response, { kind: "DaemonSetList", metadata: {}, items: [] }),
    );
    const outcome = await readerOf(server).list(
      {
        resource: RESOURCES.daemonSets,
        namespace: "kube-system",
        labelSelector: "k8s-app=kube-proxy",
        fieldSelector: "metadata.name=x",
      },
      names,
    );
    const ref =
      "/apis/apps/v1/namespaces/kube-system/daemonsets?labelSelector=k8s-app%3Dkube-proxy&fieldSelector=metadata.name%3Dx";
    expect(outcome).toEqual({
      seen: true,
      value: { value: [], count: 0, remaining: 0 },
      source: { ...source, ref },
    });
    expect(server.asked).toEqual([`${ref}&limit=500`]);
  });
});

describe("a list as a table", () => {
  const first = JSON.parse(recorded("nodes-limit2-table")) as {
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  };

  it("gives columns and cells", async () => {
    const server = await serve((_, response) => sendJson(response, recorded("nodes-limit2-table")));
    const pages: Fold<unknown[]> = { start: () => [], add: (value, page) => value.push(page) };
    expect(await readerOf(server).list({ ...nodes, as: "table", atMost: 2 }, pages)).toEqual({
      seen: true,
      value: {
        value: [
          {
            kind: "table",
            columns: first.columnDefinitions.map(({ name }) => name),
            rows: first.rows.map(({ cells }) => cells),
          },
        ],
        count: 2,
        remaining: 4_998,
      },
      source,
    });
    expect(server.asked).toEqual(["/api/v1/nodes?includeObject=None&limit=2"]);
    expect(server.requests[0]?.headers.accept).toBe(
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    );
  });

  it("keeps the columns of the first page for pages without", async () => {
    const server = await serve((request, response) =>
      sendJson(
        response,
        request.url?.includes("continue")
          ? { kind: "Table", metadata: {}, rows: [{ cells: ["b"] }] }
          : {
              kind: "Table",
              metadata: { continue: "t1" },
              columnDefinitions: [{ name: "Name" }],
              rows: [{ cells: ["a"] }],
            },
      ),
    );
    const columns: Fold<unknown[]> = {
      start: () => [],
      add: (value, page) => value.push(page.kind === "table" && page.columns),
    };
    expect(await readerOf(server).list({ ...nodes, as: "table" }, columns)).toEqual({
      seen: true,
      value: { value: [["Name"], ["Name"]], count: 2, remaining: 0 },
      source,
    });
  });

  it("is taken as objects from a server that knows no table", async () => {
    const server = await pagesBy({ "": [{ names: ["a"] }] });
    expect(await readerOf(server).list({ ...nodes, as: "table" }, names)).toEqual({
      seen: true,
      value: { value: ["a"], count: 1, remaining: 0 },
      source,
    });
  });

  it("or as metadata alone, where that is asked for", async () => {
    const server = await serve((_, response) =>
      sendJson(response, { ...JSON.parse(recorded("nodes-limit2-partialmeta")), metadata: {} }),
    );
    expect(await readerOf(server).list({ ...nodes, as: "metadata" }, names)).toMatchObject({
      seen: true,
      value: { count: 2, remaining: 0 },
    });
  });
});

describe("a continue token that expires", () => {
  it("starts the list over", async () => {
    const server = await pagesBy({
      "": [
        { names: ["a", "b"], next: "t1" },
        { names: ["a", "b2"], next: "t2" },
      ],
      t1: [expiredWith("fresh")],
      t2: [{ names: ["c"] }],
    });
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: true,
      value: { value: ["a", "b2", "c"], count: 3, remaining: 0 },
      source,
    });
  });

  it("a second time, goes on with the fresh token and is not called complete", async () => {
    const server = await pagesBy({
      "": [{ names: ["a", "b"], next: "t1" }],
      t1: [expiredWith("fresh")],
      fresh: [{ names: ["c"] }],
    });
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: "partial",
      why: "invalid",
      detail: "list is inconsistent: continue token expired twice",
      value: { value: ["a", "b", "c"], count: 3, remaining: 0 },
      source,
    });
  });

  it("without a fresh token, starts the list over twice and then keeps what there is", async () => {
    const server = await pagesBy({
      "": [{ names: ["a", "b"], next: "t1", remaining: 3 }],
      t1: [expiredWith(undefined)],
    });
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: "partial",
      why: "invalid",
      detail: "1 of ~3 pages: too old",
      value: { value: ["a", "b"], count: 2, remaining: 3 },
      source,
    });
    expect(server.asked).toHaveLength(6);
  });

  it("again and again, is given up", async () => {
    const server = await pagesBy({
      "": [{ names: ["a", "b"], next: "t1" }],
      t1: [expiredWith("t1")],
    });
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: "partial",
      why: "invalid",
      detail: "1 page: too old",
      value: { value: ["a", "b"], count: 2, remaining: null },
      source,
    });
    expect(server.asked.length).toBeLessThan(20);
  });

  it("is told by the recorded answer of an API server", async () => {
    let expiries = 0;
    const server = await serve((request, response) => {
      if (!request.url?.includes("continue")) sendJson(response, recorded("410-firstpage"));
      else if (expiries++ === 0) sendJson(response, recorded("410-expired-continue"), 410);
      else sendJson(response, nodeList({ names: ["last"] }));
    });
    expect(await readerOf(server).list(nodes, names)).toMatchObject({
      seen: true,
      value: { value: [expect.any(String), expect.any(String), "last"], count: 3, remaining: 0 },
    });
  });
});

describe("a list that fails on the way", () => {
  it.each([
    {
      what: "a 403",
      answer: { status: 403, body: { kind: "Status", message: "nodes is forbidden" } },
      why: "forbidden",
      detail: "1 of ~15 pages: nodes is forbidden",
    },
    {
      what: "another kind",
      answer: { status: 200, body: { kind: "PodList", items: [] } },
      why: "invalid",
      detail: "1 of ~15 pages: the answer is not a list of nodes",
    },
    {
      what: "a token that comes back",
      answer: { names: ["c"], next: "t1", remaining: 27 },
      why: "invalid",
      detail: "2 of ~16 pages: the server gives the same continue token again",
    },
  ])("is partly seen: $what on page 2", async ({ answer, why, detail }) => {
    const server = await pagesBy({ "": [{ names: ["a", "b"], next: "t1", remaining: 28 }], t1: [answer] });
    const outcome = await readerOf(server).list(nodes, names);
    expect(outcome).toMatchObject({ seen: "partial", why, detail });
  });

  it("is not seen when the first page fails", async () => {
    const server = await serve((_, response) => sendJson(response, recorded("403-nodes-nobody"), 403));
    expect(await readerOf(server).list(nodes, names)).toEqual({
      seen: false,
      why: "forbidden",
      detail:
        'nodes is forbidden: User "nobody" cannot list resource "nodes" in API group "" at the cluster scope',
      source,
    });
  });

  it("is partly seen when the time is used up", async () => {
    const server = await serve((request, response) => {
      if (!request.url?.includes("continue"))
        sendJson(response, nodeList({ names: ["a"], next: "t1", remaining: 1 }));
    });
    expect(await readerOf(server, { requestTimeoutMs: 100 }).list(nodes, names)).toEqual({
      seen: "partial",
      why: "timeout",
      detail: `1 of ~2 pages: ${server.host} did not answer in full within 0.1 s`,
      value: { value: ["a"], count: 1, remaining: 1 },
      source,
    });
  });
});
