import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { clustersFromKubeconfig } from "#src/inventory/kubeconfig.ts";
import { sendJson, startApiServer, type TestApiServer, tlsFile } from "../kubernetes/api-server.ts";

const VERSION = { major: "1", minor: "36", gitVersion: "v1.36.3" };

let folder: string;
let server: TestApiServer;
/** Where the proxies were asked to connect to: a name that only they can resolve. */
const tunnels: string[] = [];
const open: net.Server[] = [];
let target: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubeconfig-proxy-"));
  server = await startApiServer((_, response) => sendJson(response, VERSION));
  target = `kubernetes.test:${new URL(server.url).port}`;
});

afterAll(async () => {
  for (const proxy of open) proxy.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function listening(proxy: net.Server): Promise<number> {
  open.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return (proxy.address() as net.AddressInfo).port;
}

function joined(client: net.Socket, port: number, greeting: string | Buffer): void {
  const upstream = net.connect(port, "127.0.0.1", () => {
    client.write(greeting);
    upstream.pipe(client).pipe(upstream);
  });
  for (const socket of [client, upstream]) socket.on("error", () => undefined);
}

async function httpProxy(answers: "200 Connected" | "403 Forbidden"): Promise<string> {
  const proxy = http.createServer();
  proxy.on("connect", (request, client: net.Socket) => {
    tunnels.push(request.url ?? "");
    if (answers !== "200 Connected") client.end(`HTTP/1.1 ${answers}\r\n\r\n`);
    else joined(client, Number(request.url?.split(":")[1]), `HTTP/1.1 ${answers}\r\n\r\n`);
  });
  return `http://127.0.0.1:${await listening(proxy)}`;
}

/** SOCKS 5 without authentication, by host name (RFC 1928). */
async function socksProxy(): Promise<string> {
  const proxy = net.createServer((client) => {
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (asked: Buffer) => {
        const end = 5 + (asked[4] ?? 0);
        const port = asked.readUInt16BE(end);
        tunnels.push(`${asked.toString("latin1", 5, end)}:${port}`);
        joined(client, port, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      });
    });
  });
  return `socks5h://127.0.0.1:${await listening(proxy)}`;
}

/** Three answers of the cluster, with what it took to get them. */
async function threeVersions(proxyUrl: string | undefined, env: Record<string, string>) {
  tunnels.length = 0;
  const cluster = {
    server: `https://${target}`,
    "certificate-authority-data": Buffer.from(tlsFile("ca.pem")).toString("base64"),
    "proxy-url": proxyUrl,
  };
  const file = path.join(folder, "config");
  await writeFile(
    file,
    stringify({
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "u" } }],
    }),
  );
  const { clusters } = await clustersFromKubeconfig({ file, env });
  const reader = await clusters[0]?.open();
  if (reader === undefined || "seen" in reader) return { outcomes: reader, tunnels };
  const outcomes = [await reader.version(), await reader.version(), await reader.version()];
  await reader.close();
  return { outcomes, tunnels };
}

describe("a cluster behind a proxy", () => {
  const seen = { seen: true, value: VERSION };

  it("is read through proxy-url, over one tunnel", async () => {
    const { outcomes } = await threeVersions(await httpProxy("200 Connected"), {});
    expect(outcomes).toMatchObject([seen, seen, seen]);
    expect(tunnels).toEqual([target]);
  });

  it("is read through a SOCKS proxy-url, over one tunnel", async () => {
    const { outcomes } = await threeVersions(await socksProxy(), {});
    expect(outcomes).toMatchObject([seen, seen, seen]);
    expect(tunnels).toEqual([target]);
  });

  it("is read through HTTPS_PROXY, over one tunnel", async () => {
    const { outcomes } = await threeVersions(undefined, { HTTPS_PROXY: await httpProxy("200 Connected") });
    expect(outcomes).toMatchObject([seen, seen, seen]);
    expect(tunnels).toEqual([target]);
  });

  it("prefers proxy-url to HTTPS_PROXY", async () => {
    const { outcomes } = await threeVersions(await httpProxy("200 Connected"), {
      HTTPS_PROXY: "http://127.0.0.1:1",
    });
    expect(outcomes).toMatchObject([seen, seen, seen]);
  });

  it.each([
    { by: "HTTPS_PROXY", proxyUrl: false },
    { by: "proxy-url", proxyUrl: true },
  ])("is unreachable when the proxy of $by refuses", async ({ proxyUrl }) => {
    const proxy = await httpProxy("403 Forbidden");
    const { outcomes } = await threeVersions(
      proxyUrl ? proxy : undefined,
      proxyUrl ? {} : { HTTPS_PROXY: proxy },
    );
    const refused = {
      seen: false,
      why: "unreachable",
      detail: `${target} (through a proxy): the proxy does not let the connection through`,
    };
    expect(outcomes).toMatchObject([refused, refused, refused]);
  });

  it("is not read when HTTPS_PROXY is no address", async () => {
    const { outcomes } = await threeVersions(undefined, { HTTPS_PROXY: "not an address" });
    expect(outcomes).toMatchObject({
      seen: false,
      why: "unreachable",
      detail: "HTTPS_PROXY or HTTP_PROXY is not the address of a proxy",
    });
  });

  it("is not taken from a kubeconfig whose proxy-url is no address", async () => {
    await expect(threeVersions("not an address", {})).rejects.toMatchObject({
      code: "invalid-kubeconfig",
      message: expect.stringContaining('leads to cluster "c", whose proxy-url is not the address of a proxy'),
    });
  });
});
