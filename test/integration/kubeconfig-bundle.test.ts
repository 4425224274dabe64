import { spawn } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { clientNodePlugin, zodLocalesPlugin } from "../../scripts/bundle-plugins.ts";
import { sendJson, startApiServer, type TestApiServer, tlsFile } from "../kubernetes/api-server.ts";

/** Reads a kubeconfig's cluster and prints whom it was taken for, or why it was not read. */
const PROGRAM = `
import { clustersFromKubeconfig } from "#src/inventory/kubeconfig.ts";
const { clusters } = await clustersFromKubeconfig({ file: process.argv[2], env: process.env });
const reader = await clusters[0].open();
const outcome = "seen" in reader ? reader : await reader.version();
console.log(JSON.stringify(outcome.seen === true ? outcome.value.gitVersion : outcome.detail));
`;

let folder: string;
let server: TestApiServer;
let bundle: string;
let warnings: unknown[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bundle-"));
  bundle = path.join(folder, "bundle.mjs");
  const root = path.resolve(import.meta.dirname, "../..");
  const built = await build({
    stdin: { contents: PROGRAM, resolveDir: root, sourcefile: path.join(root, "program.js") },
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node22",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    plugins: [clientNodePlugin, zodLocalesPlugin],
    logLevel: "silent",
  });
  warnings = built.warnings;
  server = await startApiServer((request, response) =>
    sendJson(response, { major: "1", minor: "36", gitVersion: String(request.headers.authorization) }),
  );
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** What the bundled program prints for a user of the kubeconfig. */
async function printed(user: object, cluster: object = {}): Promise<unknown> {
  const config = path.join(folder, "config");
  const ca = Buffer.from(tlsFile("ca.pem")).toString("base64");
  await writeFile(
    config,
    stringify({
      clusters: [
        { name: "c", cluster: { server: server.url, "certificate-authority-data": ca, ...cluster } },
      ],
      users: [{ name: "u", user }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "u" } }],
    }),
  );
  const child = spawn(process.execPath, [bundle, config], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) output += text;
  return JSON.parse(output);
}

describe("the bundle", () => {
  it("leaves out only what is there to leave out, and stays small", async () => {
    expect(warnings).toEqual([]);
    expect((await stat(bundle)).size).toBeLessThan(500 * 1024);
  });

  it.each([
    { by: "token", user: { token: "t" }, says: "Bearer t" },
    {
      by: "exec plugin",
      user: {
        exec: {
          command: process.execPath,
          args: ["-p", `JSON.stringify({ kind: "ExecCredential", status: { token: "from-exec" } })`],
        },
      },
      says: "Bearer from-exec",
    },
    {
      by: "oidc login that is over",
      user: {
        "auth-provider": {
          name: "oidc",
          config: { "id-token": `e30.${btoa('{"exp":1}')}.x`, "refresh-token": "r" },
        },
      },
      says: 'the oidc login of user "u" has expired: run any kubectl command with this context, then try again',
    },
    {
      by: "gcp login that is over",
      user: { "auth-provider": { name: "gcp", config: { "cmd-path": "gcloud" } } },
      says: 'the gcp auth provider of user "u" gives no token: kubectl 1.26 and newer do not know it, use its exec plugin',
    },
  ])("authenticates by $by", async ({ user, says }) => {
    expect(await printed(user)).toBe(says);
  });

  it.each(["http", "https", "socks5"])("knows %s proxies", async (scheme) => {
    // Nothing listens there: what matters is that the proxy's code is in the bundle.
    const said = await printed({ token: "t" }, { "proxy-url": `${scheme}://localhost:1` });
    expect(said).toBe(`${server.host} (through a proxy): connection refused`);
  });
});
