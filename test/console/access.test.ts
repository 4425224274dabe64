import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { startConsole } from "#src/console/server/start-console.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { ask, json, NOW, testConsole, withToken } from "./workbench.ts";

const ROUTES = [
  ["GET", "/api/state"],
  ["POST", "/api/fleet"],
  ["GET", "/api/fleet"],
  ["GET", "/api/clusters/x"],
  ["GET", "/api/history"],
  ["GET", "/api/decisions"],
  ["GET", "/api/sources"],
  ["POST", "/api/scans"],
  ["GET", "/api/scans/1/events"],
  ["GET", "/api/slack"],
  ["GET", "/api/slack/events"],
  ["POST", "/api/slack/say"],
  ["POST", "/api/slack/press"],
  ["POST", "/api/slack/submit"],
  ["POST", "/api/slack/close"],
  ["POST", "/api/slack/home"],
  ["POST", "/api/slack/validate"],
  ["GET", "/api/slack/digest"],
] as const;

describe("who is answered", () => {
  it.each(ROUTES)("refuses %s %s without the token of this run", async (method, path) => {
    const console = await testConsole();
    for (const authorization of [undefined, "Bearer ", "Bearer x", `Basic ${console.token}`, console.token]) {
      const { status, text } = await ask(console, path, {
        method,
        headers: {
          "content-type": "application/json",
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: method === "POST" ? "{}" : "",
      });
      expect([status, JSON.parse(text).error.code]).toEqual([401, "token"]);
    }
  });

  it("makes a token for each run, and takes no other run's", async () => {
    const [one, two] = [await testConsole(), await testConsole()];
    expect(one.token).not.toBe(two.token);
    const { status } = await ask(one, "/api/state", { headers: withToken(two) });
    expect(status).toBe(401);
  });

  it.each([
    ["a name that was made to lead here (DNS rebinding)", { host: "evil.example" }, 421],
    ["the right name with another port", { host: "127.0.0.1:1" }, 421],
    ["a page from elsewhere", { origin: "https://evil.example" }, 403],
    ["a page of another port here", { origin: "http://127.0.0.1:1" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    ["what a browser calls cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["what a browser calls same-site: another port", { "sec-fetch-site": "same-site" }, 403],
  ])("refuses %s, even with the token, the page included", async (_, headers, status) => {
    const console = await testConsole();
    for (const path of ["/", "/api/state"]) {
      const answer = await ask(console, path, {
        headers: withToken(console, headers as Record<string, string>),
      });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  it("lets a link from elsewhere lead to the page, and to nothing that needs the token", async () => {
    const console = await testConsole();
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const statuses = [];
    for (const path of ["/", "/slack", "/api/state"]) {
      statuses.push((await ask(console, path, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 401]);
  });

  it("answers to localhost as to 127.0.0.1", async () => {
    const console = await testConsole();
    const { port } = new URL(console.origin);
    const { status } = await ask(console, "/api/state", {
      headers: withToken(console, { host: `localhost:${port}`, origin: `http://localhost:${port}` }),
    });
    expect(status).toBe(200);
  });

  it("listens on loopback only", async () => {
    const console = await testConsole();
    const { port, hostname } = new URL(console.origin);
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4")
      .map(({ address }) => address);
    const reached = await Promise.all(
      others.map(
        (host) =>
          new Promise((resolve) => {
            const socket = connect({ host, port: Number(port), timeout: 1_000 });
            socket.on("connect", () => {
              socket.destroy();
              resolve(true);
            });
            for (const event of ["error", "timeout"]) socket.on(event, () => resolve(false));
          }),
      ),
    );
    expect([hostname, reached.includes(true)]).toEqual(["127.0.0.1", false]);
  });

  it("says which port is taken", async () => {
    const console = await testConsole();
    const port = Number(new URL(console.origin).port);
    const second = startConsole({
      port,
      page: "/",
      fleets: { own: async () => console.fleet },
      first: "own",
      now: () => NOW,
      log: () => undefined,
    });
    await expect(second).rejects.toThrow(ProxyAuditError);
    await expect(second).rejects.toThrow(`port ${port} is taken`);
  });
});

describe("the page", () => {
  it("comes with a policy that lets nothing of others run, and a nonce of its own", async () => {
    const console = await testConsole();
    const nonces = new Set<string>();
    for (const path of ["/", "/clusters/kubeconfig:prod.eu", "/slack/home"]) {
      const { status, headers, text } = await ask(console, path);
      const policy = String(headers["content-security-policy"]);
      const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1] ?? "";
      nonces.add(nonce);
      expect([status, text, policy.replace(nonce, "N")]).toEqual([
        200,
        `<script nonce="${nonce}"></script>`,
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ]);
    }
    expect(nonces.size).toBe(3);
  });

  it.each(["/", "/assets/index-1.js", "/assets/none.js", "/api/state"])(
    "lets browsers guess no types and send no referrers, at %s",
    async (path) => {
      const { headers } = await ask(await testConsole(), path);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
    },
  );

  it.each([
    ["/assets/index-1.js", 200, "1"],
    ["/assets/none.js", 404, "not found\n"],
    ["/assets/../secret.js", 200, '<script nonce="'],
    ["/assets/..%2fsecret.js", 404, "not found\n"],
    ["/assets/%2e%2e%2fsecret.js", 404, "not found\n"],
    ["/assets/.hidden", 404, "not found\n"],
  ])("gives out files of assets/ and no others: %s", async (path, status, start) => {
    const answer = await ask(await testConsole(), path);
    expect([answer.status, answer.text.slice(0, start.length)]).toEqual([status, start]);
    expect(answer.text).not.toContain("secret");
  });

  it("takes no other method", async () => {
    const { status } = await ask(await testConsole(), "/", { method: "POST", body: "x" });
    expect(status).toBe(405);
  });
});

describe("what is asked wrongly", () => {
  it.each([
    ["no JSON", "text/plain", "{}", 400],
    ["half of it", "application/json", "{", 400],
    ["what is not a fleet", "application/json", '{"kind":"other"}', 400],
    ["a megabyte", "application/json", JSON.stringify({ kind: "x".repeat(1_000_000) }), 400],
  ])("is refused: %s", async (_, type, body, status) => {
    const console = await testConsole();
    const answer = await ask(console, "/api/fleet", {
      method: "POST",
      headers: withToken(console, { "content-type": type }),
      body,
    });
    expect([answer.status, JSON.parse(answer.text).error.code, console.logged]).toEqual([
      status,
      "usage",
      [],
    ]);
  });

  it("a version that is none, a cluster that is not there, an address that is none", async () => {
    const console = await testConsole();
    const paths = [
      "/api/fleet?target=9.9",
      "/api/clusters/kubeconfig%3Agone",
      "/api/other",
      "/api/clusters/%E0%A4%A",
    ];
    const answers = await Promise.all(paths.map((path) => json(console, path)));
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404, 400]);
  });

  it("tells nothing of the inside when it fails itself", async () => {
    const console = await testConsole();
    console.fleet.store.waivers = () => Promise.reject(new Error("secret detail"));
    const answer = await json(console, "/api/fleet");
    expect([answer.status, JSON.stringify(answer.json).includes("secret"), console.logged.join()]).toEqual([
      500,
      false,
      expect.stringContaining("secret detail"),
    ]);
  });
});
