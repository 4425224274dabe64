import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HttpsReader } from "#src/kubernetes/https-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { clientOf, recorded, sendJson, tlsFile } from "./api-server.ts";
import { AT, readerOf, serve } from "./reader-under-test.ts";

const KUBE_PROXY = { namespace: "kube-system", name: "kube-proxy" };
const KUBE_PROXY_PATH = "/api/v1/namespaces/kube-system/configmaps/kube-proxy";
const CONFIG_MAP = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "kube-proxy" }, data: {} };
const source = { kind: "kubernetes", ref: KUBE_PROXY_PATH, at: AT };

function getKubeProxy(reader: HttpsReader) {
  return reader.get(RESOURCES.configMaps, KUBE_PROXY);
}

describe("a GET", () => {
  it("gives the object, where it was read and when", async () => {
    const server = await serve((_, response) => sendJson(response, recorded("configmap-kube-proxy")));
    const value = JSON.parse(recorded("configmap-kube-proxy"));
    expect(await getKubeProxy(readerOf(server))).toEqual({ seen: true, value, source });
    expect(server.asked).toEqual([KUBE_PROXY_PATH]);
  });

  it("gives the version", async () => {
    const server = await serve((_, response) => sendJson(response, recorded("version")));
    expect(await readerOf(server).version()).toEqual({
      seen: true,
      value: { major: "1", minor: "36", gitVersion: "v1.36.3" },
      source: { ...source, ref: "/version" },
    });
  });

  it("asks for metadata alone where that is enough, and takes the whole object from a server that knows no such form", async () => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    expect(await readerOf(server).get(RESOURCES.configMaps, KUBE_PROXY, "metadata")).toEqual({
      seen: true,
      value: CONFIG_MAP,
      source,
    });
    expect(server.requests[0]?.headers.accept).toBe(
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
    );
  });

  it("keeps the path below which the API is served", async () => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    const below = { url: `${server.url}/k8s/clusters/c-abcde/` };
    expect(await getKubeProxy(readerOf(below))).toEqual({ seen: true, value: CONFIG_MAP, source });
    expect(server.asked).toEqual([`/k8s/clusters/c-abcde${KUBE_PROXY_PATH}`]);
  });

  it("reads the start of a log as text", async () => {
    const server = await serve((_, response) => response.end('I1130 "Using ipvs Proxier"\nI1130 more'));
    const log = await readerOf(server).podLog({
      namespace: "kube-system",
      pod: "kube-proxy-x",
      container: "kube-proxy",
      limitBytes: 26,
    });
    const ref = "/api/v1/namespaces/kube-system/pods/kube-proxy-x/log?container=kube-proxy";
    expect(log).toEqual({ seen: true, value: 'I1130 "Using ipvs Proxier"', source: { ...source, ref } });
    expect(server.asked).toEqual([`${ref}&limitBytes=26`]);
  });

  it("asks one pod for its mode, and for nothing else", async () => {
    const server = await serve((_, response) => response.end("ipvs"));
    const mode = await readerOf(server).podProxyMode({ namespace: "kube-system", pod: "kube-proxy-x" });
    const ref = "/api/v1/namespaces/kube-system/pods/kube-proxy-x:10249/proxy/proxyMode";
    expect(mode).toEqual({ seen: true, value: "ipvs", source: { ...source, ref } });
    expect(server.asked).toEqual([ref]);
  });

  it("decompresses, and counts both sizes", async () => {
    const body = gzipSync(JSON.stringify(CONFIG_MAP));
    const server = await serve((_, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      response.end(body);
    });
    const reader = readerOf(server);
    expect(await getKubeProxy(reader)).toEqual({ seen: true, value: CONFIG_MAP, source });
    expect(reader.stats()).toEqual({
      requests: 1,
      wireBytes: body.length,
      decodedBytes: JSON.stringify(CONFIG_MAP).length,
    });
  });

  it("shares few connections between many requests", async () => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    const reader = readerOf(server, { maxConnections: 1 });
    await Promise.all(Array.from({ length: 20 }, () => getKubeProxy(reader)));
    await getKubeProxy(reader);
    expect({ asked: server.asked.length, connections: server.connections() }).toEqual({
      asked: 21,
      connections: 1,
    });
  });
});

describe("who asks", () => {
  it("sends the token and names the product", async () => {
    const server = await serve((request, response) =>
      sendJson(
        response,
        request.headers.authorization === "Bearer s3cret" ? CONFIG_MAP : recorded("401-badtoken"),
        request.headers.authorization === "Bearer s3cret" ? 200 : 401,
      ),
    );
    const reader = readerOf(server, {
      headers: { Authorization: "Bearer s3cret" },
      userAgent: "proxy-audit/1.2.3",
    });
    expect(await getKubeProxy(reader)).toEqual({ seen: true, value: CONFIG_MAP, source });
    expect(server.requests[0]?.headers["user-agent"]).toBe("proxy-audit/1.2.3");
    expect(server.requests[0]?.method).toBe("GET");
  });

  it("shows a client certificate", async () => {
    const server = await serve((request, response) =>
      sendJson(response, { ...CONFIG_MAP, data: { client: clientOf(request) } }),
    );
    const tls = { ca: tlsFile("ca.pem"), cert: tlsFile("client.pem"), key: tlsFile("client-key.pem") };
    expect(await getKubeProxy(readerOf(server, { tls }))).toEqual({
      seen: true,
      value: { ...CONFIG_MAP, data: { client: "auditor" } },
      source,
    });
  });

  it.each([
    {
      what: "a broken key",
      options: { tls: { cert: "no PEM", key: "no PEM" } },
      says: "the configured CA, client certificate or key is broken",
    },
    {
      what: "a token with a line break",
      options: { headers: { Authorization: "Bearer a\nb" } },
      says: "the credentials hold characters that HTTP forbids",
    },
  ])("says that $what cannot be used", async ({ options, says }) => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    expect(await getKubeProxy(readerOf(server, options))).toEqual({
      seen: false,
      why: "unauthenticated",
      detail: `${server.host}: ${says}`,
      source,
    });
  });
});

describe("an answer that is a refusal", () => {
  it.each([
    {
      recording: "401-badtoken",
      status: 401,
      why: "unauthenticated",
      detail: "HOST does not accept the credentials: Unauthorized",
    },
    {
      recording: "403-configmap-nobody",
      status: 403,
      why: "forbidden",
      detail:
        'configmaps "kube-proxy" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "kube-system"',
    },
    {
      recording: "404-configmap-missing",
      status: 404,
      why: "absent",
      detail: 'configmaps "no-such" not found',
    },
    { recording: "404-unknown-path", status: 404, why: "absent", detail: "HTTP 404 without an explanation" },
    {
      recording: "404-unknown-resource",
      status: 404,
      why: "absent",
      detail: "the server could not find the requested resource",
    },
    {
      recording: "400-bad-limit",
      status: 400,
      why: "invalid",
      detail: 'strconv.ParseInt: parsing "abc": invalid syntax',
    },
  ])("$recording is $why", async ({ recording, status, why, detail }) => {
    const server = await serve((_, response) => sendJson(response, recorded(recording), status));
    expect(await getKubeProxy(readerOf(server))).toEqual({
      seen: false,
      why,
      detail: detail.replace("HOST", server.host),
      source,
    });
  });

  it.each([
    {
      what: "HTML with 200",
      status: 200,
      body: "<!DOCTYPE html><title>Log in</title>",
      detail:
        "HTTP 200 with a web page instead of an API answer: is there a login page or a proxy in between?",
    },
    {
      what: "garbage",
      status: 200,
      body: '{"kind": "Config',
      detail: "HTTP 200 with a body that is not JSON",
    },
    { what: "nothing", status: 200, body: "", detail: "HTTP 200 with a body that is not JSON" },
    { what: "an empty object", status: 200, body: "{}", detail: "the answer is not a ConfigMap" },
    {
      what: "another kind",
      status: 200,
      body: '{"kind":"Secret","metadata":{}}',
      detail: "the answer is not a ConfigMap",
    },
    { what: "no content", status: 204, body: "", detail: "HTTP 204 without an explanation" },
    {
      what: "the 404 page of a load balancer",
      status: 404,
      body: "<html>Not Found</html>",
      detail: "HTTP 404 from HOST, but not as a Kubernetes API server says it",
    },
  ])("$what is invalid", async ({ status, body, detail }) => {
    const server = await serve((_, response) => response.writeHead(status).end(body));
    expect(await getKubeProxy(readerOf(server))).toEqual({
      seen: false,
      why: "invalid",
      detail: detail.replace("HOST", server.host),
      source,
    });
  });

  it("does not follow a redirect, and names where it points", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { Location: "https://login.example.com/?token=secret" }).end(),
    );
    expect(await getKubeProxy(readerOf(server))).toEqual({
      seen: false,
      why: "invalid",
      detail: `${server.host} redirects to login.example.com (HTTP 302): not followed`,
      source,
    });
    expect(server.asked).toHaveLength(1);
  });

  it("says that an address without /version is no API server", async () => {
    const server = await serve((_, response) => response.writeHead(404).end("404 page not found\n"));
    expect(await readerOf(server).version()).toEqual({
      seen: false,
      why: "invalid",
      detail: `${server.host} has no /version: not a Kubernetes API server`,
      source: { ...source, ref: "/version" },
    });
  });

  it("shows no more than a line of 200 characters of what a server says", async () => {
    const message = `evil\u001b[31m\n\u202e${"x".repeat(5_000)}`;
    const server = await serve((_, response) => sendJson(response, { kind: "Status", message }, 403));
    expect(await getKubeProxy(readerOf(server))).toEqual({
      seen: false,
      why: "forbidden",
      detail: `evil [31m ${"x".repeat(189)}…`.slice(0, 200),
      source,
    });
  });
});
