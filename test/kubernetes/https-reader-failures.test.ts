import net from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HttpsReader, HttpsReaderOptions } from "#src/kubernetes/https-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import type { Unseen } from "#src/model/observed.ts";
import { recorded, sendJson, tlsFile } from "./api-server.ts";
import { AT, heldClock, readerOf, serve } from "./reader-under-test.ts";

const PATH = "/api/v1/namespaces/kube-system/configmaps/kube-proxy";
const CONFIG_MAP = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "kube-proxy" } };
const source = { kind: "kubernetes", ref: PATH, at: AT };
const seen = { seen: true, value: CONFIG_MAP, source };

function getKubeProxy(reader: HttpsReader) {
  return reader.get(RESOURCES.configMaps, { namespace: "kube-system", name: "kube-proxy" });
}

function unseen(why: Unseen, detail: string) {
  return { seen: false, why, detail, source };
}

/** A port on 127.0.0.1 that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a connection that cannot be made", () => {
  it("is refused", async () => {
    const port = await freePort();
    const reader = readerOf({ url: `https://127.0.0.1:${port}` });
    expect(await getKubeProxy(reader)).toEqual(
      unseen("unreachable", `127.0.0.1:${port}: connection refused`),
    );
  });

  it("names a host that does not exist", async () => {
    const reader = readerOf({ url: "https://no-such-host.invalid:6443" });
    expect(await getKubeProxy(reader)).toMatchObject({
      seen: false,
      why: "unreachable",
      detail: expect.stringMatching(
        /^no-such-host\.invalid:6443: (host name not found|the host name could not be looked up)/,
      ),
    });
  });

  it.each<{ what: string; tls: HttpsReaderOptions["tls"]; says: string }>([
    {
      what: "of another CA",
      tls: { ca: tlsFile("other-ca.pem") },
      says: "the certificate is not signed by the cluster's CA",
    },
    { what: "of a CA that nobody knows", tls: {}, says: "the certificate is not signed by the cluster's CA" },
    {
      what: "for another name",
      tls: { ca: tlsFile("ca.pem"), servername: "other.test" },
      says: "the server's certificate is for another host name",
    },
  ])("tells a certificate $what", async ({ tls, says }) => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    expect(await getKubeProxy(readerOf(server, { tls: tls ?? {} }))).toEqual(
      unseen("unreachable", `${server.host}: ${says}`),
    );
    expect(server.asked).toEqual([]);
  });

  it.each<{ what: string; tls: HttpsReaderOptions["tls"] }>([
    { what: "tls-server-name", tls: { ca: tlsFile("ca.pem"), servername: "kubernetes.test" } },
    { what: "insecure-skip-tls-verify", tls: { rejectUnauthorized: false } },
  ])("can be made with $what", async ({ tls }) => {
    const server = await serve((_, response) => sendJson(response, CONFIG_MAP));
    expect(await getKubeProxy(readerOf(server, { tls: tls ?? {} }))).toEqual(seen);
  });

  it("tells a port that does not speak TLS", async () => {
    const server = net.createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    const outcome = await getKubeProxy(readerOf({ url: `https://127.0.0.1:${port}` }));
    server.close();
    expect(outcome).toEqual(unseen("unreachable", `127.0.0.1:${port}: the port does not speak TLS`));
  });
});

describe("an answer that does not come to its end", () => {
  it("times out when no answer comes", async () => {
    const server = await serve(() => undefined);
    expect(await getKubeProxy(readerOf(server, { requestTimeoutMs: 100 }))).toEqual(
      unseen("timeout", `${server.host} did not answer in full within 0.1 s`),
    );
  });

  it("times out when the body trickles", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    expect(await getKubeProxy(readerOf(server, { requestTimeoutMs: 150 }))).toEqual(
      unseen("timeout", `${server.host} did not answer in full within 0.2 s`),
    );
  });

  it("is invalid when the body is cut off, each time it is asked for", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write('{"kind":"ConfigMap"', () => response.destroy());
    });
    expect(await getKubeProxy(readerOf(server))).toEqual(
      unseen("invalid", `${server.host} broke off in the middle of an answer`),
    );
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    {
      what: "cut off",
      body: gzipSync(JSON.stringify(CONFIG_MAP)).subarray(0, 40),
      says: "broke off in the middle of an answer",
    },
    { what: "broken", body: Buffer.from("this is not gzip"), says: "sent a broken gzip body" },
  ])("is invalid when gzip is $what", async ({ body, says }) => {
    const server = await serve((_, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(body),
    );
    expect(await getKubeProxy(readerOf(server))).toEqual(unseen("invalid", `${server.host} ${says}`));
  });

  it.each([
    { what: "plain", headers: {}, body: Buffer.alloc(2_000_000, 32) },
    {
      what: "a gzip bomb",
      headers: { "Content-Encoding": "gzip" },
      body: gzipSync(Buffer.alloc(50_000_000, 32)),
    },
  ])("is invalid when it is larger than the cap: $what", async ({ headers, body }) => {
    const server = await serve((_, response) => response.writeHead(200, headers).end(body));
    const reader = readerOf(server, { maxBodyBytes: 1_000_000 });
    expect(await getKubeProxy(reader)).toEqual(
      unseen("invalid", `${server.host} sent more than 1000000 bytes in one answer`),
    );
    expect(reader.stats().decodedBytes).toBeLessThan(1_200_000);
  });

  it("ends when the reader is closed", async () => {
    const server = await serve(() => undefined);
    const reader = readerOf(server);
    const outcome = getKubeProxy(reader);
    await expect.poll(() => server.asked.length).toBe(1);
    await reader.close();
    const closed = unseen(
      "not-requested",
      `the connection to ${server.host} was closed before the answer was read`,
    );
    expect([await outcome, await getKubeProxy(reader)]).toEqual([closed, closed]);
  });
});

describe("a server that is busy or broken", () => {
  /** Answers from the list, then with the object. */
  function inTurn(...answers: { status: number; headers?: Record<string, string>; body?: string }[]) {
    return serve((_, response) => {
      const next = answers.shift();
      if (next === undefined) sendJson(response, CONFIG_MAP);
      else response.writeHead(next.status, next.headers).end(next.body);
    });
  }
  const busy = { status: 429, headers: { "Retry-After": "1" }, body: recorded("429-throttled-configmap") };

  it("is asked again when it says so", async () => {
    const server = await inTurn(busy, { status: 503, headers: { "Retry-After": "7" } });
    const clock = heldClock();
    expect(await getKubeProxy(readerOf(server, { clock }))).toEqual(seen);
    expect(clock.slept).toEqual([1_000, 7_000]);
  });

  it("is asked again after longer and longer waits when it does not say when", async () => {
    const server = await inTurn({ status: 429 }, { status: 429 }, { status: 503 }, { status: 429 });
    const clock = heldClock();
    expect(await getKubeProxy(readerOf(server, { clock }))).toEqual(seen);
    expect(clock.slept).toEqual([250, 500, 1_000, 2_000]);
  });

  it.each([
    { says: "a date", retryAfter: "Mon, 30 Nov 2026 16:00:05 GMT", waits: 5_000 },
    { says: "a date that has passed", retryAfter: "Mon, 30 Nov 2026 15:00:00 GMT", waits: 0 },
    { says: "an hour", retryAfter: "3600", waits: 32_000 },
    { says: "nonsense", retryAfter: "soon", waits: 250 },
  ])("may say when by $says", async ({ retryAfter, waits }) => {
    const server = await inTurn({ status: 503, headers: { "Retry-After": retryAfter } });
    const clock = heldClock();
    expect(await getKubeProxy(readerOf(server, { clock }))).toEqual(seen);
    expect(clock.slept).toEqual([waits]);
  });

  it("is given up after four repetitions", async () => {
    const server = await inTurn(busy, busy, busy, busy, busy);
    expect(await getKubeProxy(readerOf(server))).toEqual(
      unseen("throttled", `${server.host} turns requests away for now (HTTP 429)`),
    );
    expect(server.asked).toHaveLength(5);
  });

  it("is not waited for beyond the deadline", async () => {
    const server = await inTurn({ ...busy, headers: { "Retry-After": "30" } });
    const clock = heldClock();
    expect(await getKubeProxy(readerOf(server, { clock, deadlineMs: 20_000 }))).toEqual(
      unseen("throttled", `${server.host} turns requests away for now (HTTP 429)`),
    );
    expect(clock.slept).toEqual([]);
  });

  it("is asked again once after an error of its own", async () => {
    const once = await inTurn({ status: 500 });
    expect(await getKubeProxy(readerOf(once))).toEqual(seen);
    const twice = await inTurn(
      { status: 502 },
      { status: 500, body: '{"kind":"Status","message":"etcd is down"}' },
    );
    expect(await getKubeProxy(readerOf(twice))).toEqual(
      unseen("unreachable", `${twice.host} cannot answer (HTTP 500): etcd is down`),
    );
  });

  it("is asked again once after a connection that it closed", async () => {
    let asked = 0;
    const server = await serve((request, response) => {
      asked += 1;
      if (asked === 2) request.socket.destroy();
      else sendJson(response, CONFIG_MAP);
    });
    const reader = readerOf(server);
    expect([await getKubeProxy(reader), await getKubeProxy(reader)]).toEqual([seen, seen]);
    expect(asked).toBe(3);
  });

  it("is not asked any more when the time for the cluster is used up", async () => {
    const server = await inTurn({ status: 503, headers: { "Retry-After": "9" } });
    const reader = readerOf(server, { clock: heldClock(), deadlineMs: 10_000 });
    expect(await getKubeProxy(reader)).toEqual(seen);
    const late = readerOf(server, { clock: steppingClock(6_000), deadlineMs: 10_000 });
    expect([await late.version(), await late.version()]).toMatchObject([
      { seen: false, why: "invalid" },
      { seen: false, why: "timeout", detail: "the 10 s that this cluster may take are used up" },
    ]);
  });
});

/** A clock that moves on by so much each time it is read. */
function steppingClock(milliseconds: number) {
  let now = Date.parse(AT);
  return {
    ...heldClock(),
    now: () => {
      now += milliseconds;
      return new Date(now);
    },
  };
}
