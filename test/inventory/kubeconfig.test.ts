import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { clustersFromKubeconfig, type KubeconfigRequest } from "#src/inventory/kubeconfig.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { clientOf, sendJson, startApiServer, type TestApiServer, tlsFile } from "../kubernetes/api-server.ts";

let folder: string;
let server: TestApiServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubeconfig-"));
  // Tells the asker who it is taken for.
  server = await startApiServer((request, response) => {
    const {
      authorization = null,
      "impersonate-user": as = null,
      "impersonate-group": groups = null,
    } = request.headers;
    const data = { authorization, certificate: clientOf(request), as, groups };
    sendJson(response, { kind: "ConfigMap", metadata: {}, data });
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  server.asked.length = 0;
});

const PROD = { server: "https://prod.example.com:6443", "certificate-authority-data": "Q0E=" };
const nobody = { authorization: null, certificate: null, as: null, groups: null };

interface Parts {
  clusters?: Record<string, object>;
  users?: Record<string, object | null>;
  /** Cluster, or cluster and user with a slash between. */
  contexts?: Record<string, string>;
  current?: string;
}

function kubeconfig({ clusters = {}, users = {}, contexts = {}, current }: Parts): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": current,
    clusters: Object.entries(clusters).map(([name, cluster]) => ({ name, cluster })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: Object.entries(contexts).map(([name, leadsTo]) => {
      const [cluster, user] = leadsTo.split("/");
      return { name, context: { cluster, user } };
    }),
  });
}

async function written(content: string, name = "config"): Promise<string> {
  const file = path.join(await mkdtemp(path.join(folder, "k-")), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

async function contextsFound(request: Omit<KubeconfigRequest, "env"> & { env?: KubeconfigRequest["env"] }) {
  const { clusters } = await clustersFromKubeconfig({ env: {}, ...request });
  return clusters.map(({ name, server, alsoKnownAs }) => ({ name, server, alsoKnownAs }));
}

/** Whom the server takes the only context of a kubeconfig for, or why it was not asked. */
async function whoAsks(
  user: object | null,
  options: { cluster?: object; request?: Partial<KubeconfigRequest>; file?: string } = {},
) {
  const cluster = {
    server: server.url,
    "certificate-authority-data": Buffer.from(tlsFile("ca.pem")).toString("base64"),
    ...options.cluster,
  };
  const content = kubeconfig({ clusters: { c: cluster }, users: { u: user }, contexts: { dev: "c/u" } });
  const file = options.file ?? (await written(content));
  if (options.file !== undefined) await writeFile(file, content);
  const { clusters } = await clustersFromKubeconfig({
    file,
    env: { PATH: process.env.PATH },
    ...options.request,
  });
  const reader = await clusters[0]?.open();
  if (reader === undefined) throw new Error("no cluster");
  if ("seen" in reader) return { why: reader.why, detail: reader.detail, ref: reader.source.ref };
  const outcome = await reader.get(RESOURCES.configMaps, { namespace: "kube-system", name: "kube-proxy" });
  await reader.close();
  return outcome.seen === true ? (outcome.value as { data: unknown }).data : outcome;
}

/** An exec plugin: a script of Node's, and a kubeconfig user that runs it. */
async function plugin(script: string, more: object = {}) {
  const file = await written(script, "plugin.mjs");
  return { exec: { command: process.execPath, args: [file], ...more } };
}

describe("which clusters a kubeconfig leads to", () => {
  const two = {
    clusters: { p: PROD, s: { server: "https://staging.example.com" } },
    users: { u: { token: "t" } },
    contexts: { prod: "p/u", staging: "s/u" },
  };
  const prod = { name: "prod", server: PROD.server, alsoKnownAs: [] };
  const staging = { name: "staging", server: "https://staging.example.com", alsoKnownAs: [] };

  it("takes the current context, the named ones, or all", async () => {
    const file = await written(kubeconfig({ ...two, current: "staging" }));
    expect(await contextsFound({ file })).toEqual([staging]);
    expect(await contextsFound({ file, contexts: ["prod"] })).toEqual([prod]);
    expect(await contextsFound({ file, contexts: ["staging", "prod", "prod"] })).toEqual([staging, prod]);
    expect(await contextsFound({ file, allContexts: true })).toEqual([prod, staging]);
  });

  it("takes the only context where none is current", async () => {
    const file = await written(kubeconfig({ ...two, contexts: { prod: "p/u" } }));
    expect(await contextsFound({ file })).toEqual([prod]);
  });

  it("finds the file by KUBECONFIG, then in the home folder", async () => {
    const file = await written(kubeconfig({ ...two, current: "prod" }), ".kube/config");
    const home = path.dirname(path.dirname(file));
    expect(await contextsFound({ env: { KUBECONFIG: file, HOME: "/nowhere" } })).toEqual([prod]);
    expect(await contextsFound({ env: { KUBECONFIG: "", HOME: home } })).toEqual([prod]);
  });

  it("merges a list of files as kubectl does: the first to name a thing wins, a missing file is passed over", async () => {
    const first = await written(kubeconfig({ clusters: { p: PROD }, current: "prod" }));
    const second = await written(
      kubeconfig({ ...two, clusters: { p: { server: "https://other.example.com" } }, current: "staging" }),
    );
    const list = [first, "/no/such/file", second].join(path.delimiter);
    expect(await contextsFound({ file: list })).toEqual([prod]);
  });

  it("audits a cluster once, under the first name it is asked for by", async () => {
    const file = await written(
      kubeconfig({
        clusters: { p: PROD, again: { ...PROD, server: "https://PROD.example.com:6443/" } },
        users: { reader: {}, admin: {} },
        contexts: { a: "p/admin", b: "again/reader" },
      }),
    );
    expect(await contextsFound({ file, contexts: ["b", "a"] })).toEqual([
      { name: "b", server: "https://PROD.example.com:6443/", alsoKnownAs: ["a"] },
    ]);
  });

  it("keeps clusters apart that share an address: another CA, path, or Teleport login", async () => {
    const teleport = (cluster: string) => ({
      exec: { command: "tsh", args: ["kube", "credentials", `--kube-cluster=${cluster}`] },
    });
    const file = await written(
      kubeconfig({
        clusters: {
          p: PROD,
          otherCa: { ...PROD, "certificate-authority-data": "Q0Ey" },
          below: { ...PROD, server: `${PROD.server}/k8s/clusters/c-1` },
        },
        users: { x: teleport("x"), y: teleport("y"), u: {} },
        contexts: { a: "p/u", b: "otherCa/u", c: "below/u", d: "p/x", e: "p/y" },
      }),
    );
    const found = await contextsFound({ file, allContexts: true });
    expect(found.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("knows account and region of a cluster that is named by its ARN", async () => {
    const arn = "arn:aws:eks:eu-west-1:111122223333:cluster/payments";
    const content = kubeconfig({ clusters: { NAME: PROD }, contexts: { pay: "NAME" } });
    const file = await written(content.replaceAll("NAME", arn));
    const { clusters } = await clustersFromKubeconfig({ file, env: {} });
    expect(clusters).toEqual([
      {
        id: "kubeconfig:pay",
        name: "pay",
        account: "111122223333",
        region: "eu-west-1",
        team: null,
        environment: null,
        answers: [],
        server: PROD.server,
        alsoKnownAs: [],
        open: expect.any(Function),
      },
    ]);
  });
});

describe("a kubeconfig that cannot be used", () => {
  const whole = { clusters: { p: PROD }, users: { u: {} }, contexts: { "prod-eu": "p/u", "prod-us": "p/u" } };

  it.each<{ what: string; content: string; contexts?: string[]; code: string; message: string }>([
    {
      what: "empty",
      content: "",
      code: "no-clusters",
      message: "no contexts in FILE: is this the right kubeconfig?",
    },
    {
      what: "no YAML",
      content: "a: b\nusers:\n- name: 'x\n",
      code: "invalid-kubeconfig",
      message: "kubeconfig FILE is not YAML, line 4: Missing closing 'quote",
    },
    {
      what: "another thing",
      content: "just text",
      code: "invalid-kubeconfig",
      message:
        "kubeconfig FILE is not as kubectl reads it: the file: Invalid input: expected object, received string",
    },
    {
      what: "a user without a command",
      content: kubeconfig({ ...whole, users: { u: { exec: {} } } }),
      code: "invalid-kubeconfig",
      message: "kubeconfig FILE is not as kubectl reads it: users.0.user.exec.command: Invalid input",
    },
    {
      what: "no current context",
      content: kubeconfig(whole),
      code: "usage",
      message:
        "no current context in FILE: choose with --context or --all-contexts. Contexts: prod-eu, prod-us.",
    },
    {
      what: "an unknown context",
      content: kubeconfig(whole),
      contexts: ["prodeu"],
      code: "not-found",
      message: 'no context "prodeu" in FILE. Did you mean "prod-eu"? Contexts: prod-eu, prod-us.',
    },
    {
      what: "an unknown context like no other",
      content: kubeconfig(whole),
      contexts: ["minikube"],
      code: "not-found",
      message: 'no context "minikube" in FILE. Contexts: prod-eu, prod-us.',
    },
    {
      what: "a current context that is gone",
      content: kubeconfig({ ...whole, current: "gone" }),
      code: "not-found",
      message: 'no context "gone" in FILE. Contexts: prod-eu, prod-us.',
    },
    {
      what: "a missing cluster",
      content: kubeconfig({ contexts: { x: "p/u" } }),
      code: "invalid-kubeconfig",
      message: 'context "x" in FILE names cluster "p", which is not there',
    },
    {
      what: "a missing user",
      content: kubeconfig({ clusters: { p: PROD }, contexts: { x: "p/u" } }),
      code: "invalid-kubeconfig",
      message: 'context "x" in FILE names user "u", which is not there',
    },
    {
      what: "a server that is no address",
      content: kubeconfig({ clusters: { p: { server: "prod.example.com:6443" } }, contexts: { x: "p" } }),
      code: "invalid-kubeconfig",
      message: 'context "x" in FILE leads to cluster "p", whose server is not an https address',
    },
  ])("says so: $what", async ({ content, contexts, code, message }) => {
    const file = await written(content);
    await expect(
      clustersFromKubeconfig({ file, env: {}, ...(contexts ? { contexts } : {}) }),
    ).rejects.toMatchObject({
      name: "ProxyAuditError",
      code,
      message: message.replace("FILE", file),
    });
  });

  it("names the paths where there is none", async () => {
    await expect(clustersFromKubeconfig({ env: { HOME: "/nowhere" } })).rejects.toMatchObject({
      code: "invalid-kubeconfig",
      message: expect.stringContaining("no kubeconfig at /nowhere/.kube/config:"),
    });
    await expect(clustersFromKubeconfig({ file: folder, env: {} })).rejects.toMatchObject({
      message: `kubeconfig ${folder} cannot be read: it is a folder`,
    });
  });

  it("never quotes what it holds", async () => {
    const file = await written('users:\n- name: u\n  user:\n    token: "s3cret" s3cret\n');
    const error = await clustersFromKubeconfig({ file, env: {} }).catch((thrown: Error) => thrown);
    expect(String(error)).toContain("is not YAML, line 4");
    expect(String(error)).not.toContain("s3cret");
  });
});

describe("who asks", () => {
  it.each([
    { by: "nothing at all", user: null, is: {} },
    { by: "a token", user: { token: "s3cret" }, is: { authorization: "Bearer s3cret" } },
    { by: "name and password", user: { username: "u", password: "p" }, is: { authorization: "Basic dTpw" } },
    {
      by: "a certificate",
      user: { "client-certificate-data": base64("client.pem"), "client-key-data": base64("client-key.pem") },
      is: { certificate: "auditor" },
    },
    {
      by: "impersonation with groups",
      user: { token: "t", as: "jane", "as-groups": ["dev", "ops"] },
      is: { authorization: "Bearer t", as: "jane", groups: "dev, ops" },
    },
    {
      by: "an oidc login that lasts",
      user: { "auth-provider": { name: "oidc", config: { "id-token": jwt(4_000_000_000) } } },
      is: { authorization: `Bearer ${jwt(4_000_000_000)}` },
    },
  ])("is told by $by", async ({ user, is }) => {
    expect(await whoAsks(user)).toEqual({ ...nobody, ...is });
  });

  it("is told by files beside the kubeconfig, whose line breaks are not sent", async () => {
    const file = await written("");
    await writeFile(path.join(path.dirname(file), "token"), "s3cret\n");
    await writeFile(path.join(path.dirname(file), "ca.crt"), tlsFile("ca.pem"));
    await writeFile(path.join(path.dirname(file), "client.crt"), tlsFile("client.pem"));
    await writeFile(path.join(path.dirname(file), "client.key"), tlsFile("client-key.pem"));
    const user = {
      token: "stale",
      tokenFile: "token",
      "client-certificate": "client.crt",
      "client-key": "./client.key",
    };
    const cluster = { "certificate-authority": "ca.crt", "certificate-authority-data": undefined };
    expect(await whoAsks(user, { file, cluster })).toEqual({
      ...nobody,
      authorization: "Bearer s3cret",
      certificate: "auditor",
    });
  });

  it.each([
    { by: "tls-server-name", cluster: { "tls-server-name": "kubernetes.test" } },
    {
      by: "insecure-skip-tls-verify",
      cluster: { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true },
    },
  ])("keeps to $by", async ({ cluster }) => {
    expect(await whoAsks({ token: "t" }, { cluster })).toEqual({ ...nobody, authorization: "Bearer t" });
  });

  it("cannot be told without the file that says so", async () => {
    expect(await whoAsks({ tokenFile: "/no/such/token" })).toEqual({
      why: "unauthenticated",
      detail: 'credentials of user "u": /no/such/token cannot be read (no such file)',
      ref: "kubeconfig:dev",
    });
  });

  it("is not told by a login that is over, which is not renewed here", async () => {
    const config = {
      "id-token": jwt(1_000),
      "refresh-token": "r",
      "client-id": "c",
      "idp-issuer-url": server.url,
    };
    expect(await whoAsks({ "auth-provider": { name: "oidc", config } })).toEqual({
      why: "unauthenticated",
      detail:
        'the oidc login of user "u" has expired: run any kubectl command with this context, then try again',
      ref: "kubeconfig:dev",
    });
    expect(server.asked).toEqual([]);
  });
});

describe("an exec plugin", () => {
  it("gives a token, and is told what a plugin is told", async () => {
    const user = await plugin(
      `const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
       const token = [process.env.PREFIX, spec.cluster.server === ${JSON.stringify(server.url)}, spec.interactive].join("-");
       console.log(JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token } }));`,
      {
        apiVersion: "client.authentication.k8s.io/v1beta1",
        provideClusterInfo: true,
        env: [{ name: "PREFIX", value: "s3cret" }],
      },
    );
    expect(await whoAsks(user)).toEqual({ ...nobody, authorization: "Bearer s3cret-true-false" });
  });

  it("gives a certificate", async () => {
    const status = { clientCertificateData: tlsFile("client.pem"), clientKeyData: tlsFile("client-key.pem") };
    const user = await plugin(
      `console.log(${JSON.stringify(JSON.stringify({ kind: "ExecCredential", status }))})`,
    );
    expect(await whoAsks(user)).toEqual({ ...nobody, certificate: "auditor" });
  });

  it.each([
    {
      what: "fails",
      script: 'console.error("Traceback\\n\\u001b[31mThe SSO session has expired"); process.exit(255)',
      says: "it ended with code 255: [31mThe SSO session has expired",
    },
    {
      what: "prints no JSON",
      script: 'console.log("please log in at https://example.com")',
      says: "it printed something else than JSON",
    },
    { what: "prints another thing", script: 'console.log("{}")', says: "it printed no ExecCredential" },
    {
      what: "gives nothing",
      script: `console.log('{"kind":"ExecCredential","status":{}}')`,
      says: "it gave neither a token nor a certificate with its key",
    },
    {
      what: "never stops printing",
      script: 'setInterval(() => process.stdout.write("x".repeat(100000)), 1)',
      says: "it printed more than 1 MiB",
    },
  ])("that $what leaves the cluster unauthenticated", async ({ script, says }) => {
    expect(await whoAsks(await plugin(script))).toEqual({
      why: "unauthenticated",
      detail: `exec plugin "${process.execPath}" of user "u": ${says}`,
      ref: "kubeconfig:dev",
    });
  });

  it("that hangs is ended", async () => {
    const pidFile = await written("");
    const user = await plugin(
      `import { writeFileSync } from "node:fs";
       writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
       setInterval(() => undefined, 1000);`,
    );
    expect(await whoAsks(user, { request: { execTimeoutMs: 500 } })).toEqual({
      why: "unauthenticated",
      detail: `exec plugin "${process.execPath}" of user "u": it did not end within 0.5 s`,
      ref: "kubeconfig:dev",
    });
    const pid = Number(await readFile(pidFile, "utf8"));
    expect(pid).toBeGreaterThan(0);
    // Signal 0 asks whether the process is there.
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.each([
    {
      what: "is missing",
      exec: { command: "no-such-plugin", installHint: "Install it from\nhttps://example.com" },
      says: 'exec plugin "no-such-plugin" of user "u": it is not installed or not on the PATH: Install it from https://example.com',
    },
    {
      what: "needs a terminal",
      exec: { command: "aws", interactiveMode: "Always" },
      says: 'exec plugin "aws" of user "u": it must ask somebody on a terminal (interactiveMode: Always)',
    },
  ])("that $what is not run", async ({ exec, says }) => {
    expect(await whoAsks({ exec })).toEqual({ why: "unauthenticated", detail: says, ref: "kubeconfig:dev" });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function base64(file: string): string {
  return Buffer.from(tlsFile(file)).toString("base64");
}

/** A token that says when it expires; nobody here checks its signature. */
function jwt(exp: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp })}.x`;
}
