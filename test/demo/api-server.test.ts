import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiServer, ApiServerOptions } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { send } from "./client.ts";

let server: ApiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(options: Partial<ApiServerOptions>): Promise<ApiServer> {
  server = await startApiServer({
    objects: [],
    version: { gitVersion: "v1.36.3" },
    users: { admin: { name: "admin", rules: "all" } },
    ...options,
  });
  return server;
}

async function get(path: string, accept?: string): Promise<{ status: number; json: unknown }> {
  if (server === undefined) throw new Error("no server");
  const answer = await send(server, path, { token: "admin", ...(accept === undefined ? {} : { accept }) });
  return { status: answer.status, json: JSON.parse(answer.body.toString()) };
}

async function namesAt(path: string): Promise<string[]> {
  const { json } = await get(path);
  return (json as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name);
}

function configMap(name: string, labels: Record<string, string> = {}, namespace = "apps"): unknown {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, data: {} };
}

describe("lists", () => {
  it("come page by page, in the order of namespace and name, until all were given out once", async () => {
    const names = ["d", "a", "c", "b", "e"];
    await start({ objects: [...names.map((name) => configMap(name)), configMap("z", {}, "apps-old")] });
    const read: unknown[] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const { json } = await get(`/api/v1/configmaps?limit=2&continue=${token}`);
      const { metadata, items } = json as {
        metadata: { continue?: string; remainingItemCount?: number };
        items: { metadata: { name: string } }[];
      };
      read.push([items.map((item) => item.metadata.name), metadata.remainingItemCount]);
      token = metadata.continue;
    }
    // "apps-old/z" sorts before "apps/a": keys are compared as text, and "-" comes before "/".
    expect(read).toEqual([
      [["z", "a"], 4],
      [["b", "c"], 2],
      [["d", "e"], undefined],
    ]);
  });

  it("with a selector do not say how many items are left", async () => {
    await start({ objects: ["a", "b", "c"].map((name) => configMap(name, { app: "x" })) });
    const { json } = await get("/api/v1/configmaps?limit=1&labelSelector=app%3Dx");
    expect(Object.keys((json as { metadata: object }).metadata)).toEqual(["resourceVersion", "continue"]);
  });

  it("ignore the limit with resourceVersion=0", async () => {
    await start({ objects: ["a", "b", "c"].map((name) => configMap(name)) });
    expect(await namesAt("/api/v1/namespaces/apps/configmaps?limit=1&resourceVersion=0")).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it.each([
    ["app=x", ["a", "b"]],
    ["app==x", ["a", "b"]],
    ["app!=x", ["c", "d"]],
    ["app in (x, y)", ["a", "b", "c"]],
    ["app notin (x)", ["c", "d"]],
    ["app", ["a", "b", "c"]],
    ["!app", ["d"]],
    ["app=x,tier", ["b"]],
    ["app=", ["d2"]],
    ["tier>1", ["b"]],
    ["tier<3", ["b"]],
    ["", ["a", "b", "c", "d"]],
  ])("are narrowed by the label selector %j", async (selector, expected) => {
    await start({
      objects: [
        configMap("a", { app: "x" }),
        configMap("b", { app: "x", tier: "2" }),
        configMap("c", { app: "y" }),
        selector === "app=" ? configMap("d2", { app: "" }) : configMap("d"),
      ],
    });
    expect(await namesAt(`/api/v1/configmaps?labelSelector=${encodeURIComponent(selector)}`)).toEqual(
      expected,
    );
  });

  it.each([
    [
      "labelSelector=app+gt+5",
      "unable to parse requirement: found 'gt', expected: in, notin, =, ==, !=, gt, lt",
    ],
    ["labelSelector=app%3Dx+y", "found 'y', expected: ',' or 'end of string'"],
    ["labelSelector=app+in+x", "unable to parse requirement: found 'x', expected: '('"],
    ["labelSelector=%3Dx", "unable to parse requirement: found '=', expected: identifier"],
    ["fieldSelector=data", "invalid selector: 'data'; can't understand 'data'"],
    [
      "fieldSelector=data.a%3Db",
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])("refuse %j with 400", async (query, message) => {
    await start({});
    const { status, json } = await get(`/api/v1/configmaps?${query}`);
    expect([status, (json as { message: string }).message]).toEqual([400, message]);
  });

  it("of events are narrowed by reason, type and the object they are about", async () => {
    const event = (name: string, reason: string, type: string, node: string): unknown => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace: "default" },
      involvedObject: { kind: "Node", name: node },
      reason,
      type,
    });
    await start({
      objects: [
        event("a", "IPVSDeprecation", "Warning", "node-1"),
        event("b", "IPVSDeprecation", "Warning", "node-2"),
        event("c", "Starting", "Normal", "node-1"),
      ],
    });
    const selector = "reason=IPVSDeprecation,type=Warning,involvedObject.name!=node-2";
    expect(await namesAt(`/api/v1/events?fieldSelector=${encodeURIComponent(selector)}`)).toEqual(["a"]);
  });

  it("are compressed above 128 KiB where the client accepts it", async () => {
    const { ca, url } = await start({ objects: [configMap("big", { note: "x".repeat(140_000) })] });
    const gzip = { token: "admin", headers: { "accept-encoding": "gzip" } };
    const large = await send({ ca, url }, "/api/v1/configmaps", gzip);
    const small = await send({ ca, url }, "/api/v1/secrets", gzip);
    expect(large.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(large.body).length).toBeGreaterThan(140_000);
    expect(small.headers["content-encoding"]).toBeUndefined();
  });
});

describe("tables", () => {
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: "n",
      creationTimestamp: "2026-11-29T00:00:00Z",
      labels: { "kubernetes.io/os": "linux" },
    },
    spec: { unschedulable: true },
    status: {
      addresses: [{ type: "InternalIP", address: "192.0.2.1" }],
      conditions: [{ type: "Ready", status: "False" }],
      nodeInfo: { kubeletVersion: "v1.35.2", kernelVersion: "6.8.0", osImage: "", architecture: "arm64" },
    },
  };
  const now = (): Date => new Date("2026-11-30T06:00:00Z");
  const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io, application/json";

  it.each([
    ["v1.36.2", "6.8.0 (arm64)"],
    ["v1.35.3", "6.8.0"],
  ])("of %s print the kernel as %j", async (gitVersion, kernel) => {
    await start({ objects: [node], version: { gitVersion }, now });
    const { json } = await get("/api/v1/nodes?includeObject=None", TABLE);
    expect((json as { rows: unknown }).rows).toEqual([
      {
        cells: [
          "n",
          "NotReady,SchedulingDisabled",
          "<none>",
          "30h",
          "v1.35.2",
          "192.0.2.1",
          "<none>",
          "<unknown>",
          kernel,
          "<unknown>",
        ],
        object: null,
      },
    ]);
  });

  it("carry metadata by default and the object on request", async () => {
    await start({ objects: [node], now });
    const objectOf = async (query: string): Promise<unknown> => {
      const { json } = await get(`/api/v1/nodes${query}`, TABLE);
      return Object.keys((json as { rows: { object: object }[] }).rows[0]?.object ?? {});
    };
    expect(await objectOf("")).toEqual(["kind", "apiVersion", "metadata"]);
    expect(await objectOf("?includeObject=Object")).toEqual([
      "kind",
      "apiVersion",
      "metadata",
      "spec",
      "status",
    ]);
  });
});

describe("kinds that are not installed", () => {
  const path = "/apis/metallb.io/v1beta1/l2advertisements";
  const emptyList = { apiVersion: "metallb.io/v1beta1", kind: "L2AdvertisementList", items: [] };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "l2advertisements.metallb.io" },
    spec: {
      group: "metallb.io",
      names: { plural: "l2advertisements", kind: "L2Advertisement" },
      scope: "Namespaced",
      versions: [{ name: "v1beta1" }],
    },
  };

  it("are 404 in plain text to those who may list them, 403 to others", async () => {
    const started = await start({
      users: { admin: { name: "admin", rules: "all" }, other: { name: "other", rules: [] } },
    });
    const admin = await send(started, path, { token: "admin" });
    const other = await send(started, path, { token: "other" });
    expect([admin.status, admin.body.toString()]).toEqual([404, "404 page not found\n"]);
    expect([other.status, JSON.parse(other.body.toString()).message]).toEqual([
      403,
      'l2advertisements.metallb.io is forbidden: User "other" cannot list resource "l2advertisements" in API group "metallb.io" at the cluster scope',
    ]);
  });

  it.each([
    ["a definition", [definition]],
    ["an empty List", [emptyList]],
  ])("are installed with %s", async (_, objects) => {
    await start({ objects });
    expect(await get(path)).toMatchObject({ status: 200, json: { items: [], kind: "L2AdvertisementList" } });
  });
});

describe("discovery", () => {
  it("tells kubectl which kinds there are, custom ones included", async () => {
    await start({ objects: [{ apiVersion: "metallb.io/v1beta1", kind: "L2AdvertisementList", items: [] }] });
    const groups = (await get("/apis")).json as { groups: { name: string }[] };
    expect(groups.groups.map(({ name }) => name)).toContain("metallb.io");
    expect((await get("/apis/metallb.io/v1beta1")).json).toEqual({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "metallb.io/v1beta1",
      resources: [
        {
          name: "l2advertisements",
          singularName: "l2advertisement",
          namespaced: true,
          kind: "L2Advertisement",
          verbs: ["get", "list"],
        },
      ],
    });
  });

  it.each([
    ["/apis", 403],
    ["/no/such/path", 403],
    ["/version", 200],
    ["/readyz", 200],
  ])("answers %s to nobody in particular with %i", async (path, status) => {
    const started = await start({});
    expect((await send(started, path)).status).toBe(status);
  });

  it("answers nothing without a token where anonymous requests are switched off", async () => {
    const started = await start({ anonymous: "none" });
    expect((await send(started, "/version")).status).toBe(401);
  });
});

describe("pod logs", () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "kube-system" },
    spec: { containers: [{ name: "kube-proxy" }, { name: "sidecar" }] },
  };
  const path = "/api/v1/namespaces/kube-system/pods/p/log";

  it.each([
    ["?container=kube-proxy", 200, "Using ipvs Proxier"],
    ["?container=kube-proxy&limitBytes=5", 200, "Using"],
    ["?container=sidecar", 200, ""],
  ])("answer %j", async (query, status, text) => {
    const started = await start({
      objects: [pod],
      logs: { "kube-system/p/kube-proxy": "Using ipvs Proxier" },
    });
    const answer = await send(started, `${path}${query}`, { token: "admin" });
    expect([answer.status, answer.headers["content-type"], answer.body.toString()]).toEqual([
      status,
      "text/plain",
      text,
    ]);
  });

  it.each([
    ["", "a container name must be specified for pod p, choose one of: [kube-proxy sidecar]"],
    ["?container=x", "container x is not valid for pod p"],
  ])("refuse %j", async (query, message) => {
    await start({ objects: [pod] });
    expect(await get(`${path}${query}`)).toMatchObject({ status: 400, json: { message } });
  });
});

describe("methods", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s is refused with 405 and counted",
    async (method) => {
      const started = await start({ objects: [configMap("a")] });
      const answer = await send(started, "/api/v1/namespaces/apps/configmaps/a", { token: "admin", method });
      expect([answer.status, started.writesRefused()]).toEqual([405, 1]);
    },
  );
});
