import { readFile } from "node:fs/promises";
import type { Agent, RequestOptions } from "node:https";
import type { HttpsReaderOptions } from "#src/kubernetes/https-reader.ts";
import { type ExecCredential, runExecPlugin } from "./exec-plugin.ts";
import type { KubeconfigClusterEntry, KubeconfigUserEntry } from "./kubeconfig-schema.ts";
import { proxyVariablesFor } from "./proxy-variables.ts";

export interface KubeconfigAccess {
  cluster: KubeconfigClusterEntry;
  user: KubeconfigUserEntry;
  userName: string;
  env: Readonly<Record<string, string | undefined>>;
  execTimeoutMs: number;
}

/** How to reach a cluster and who to be there, or why that cannot be found out, in words for a person. */
export type KubeconfigConnection =
  | { ok: true; connection: Pick<HttpsReaderOptions, "server" | "tls" | "headers" | "agent" | "proxyEnv"> }
  | { ok: false; detail: string };

/** Turns a kubeconfig's cluster and user into a connection: certificates, tokens, exec plugins, proxies. */
export async function connectionOf(access: KubeconfigAccess): Promise<KubeconfigConnection> {
  const { cluster, user, userName } = access;
  const who = userName === "" ? "the context without a user" : `user "${userName}"`;
  try {
    const token = await staticToken(user);
    let credential: ExecCredential | undefined;
    // As in client-go, a token that is there already wins over a plugin.
    if (user.exec !== undefined && token === undefined) {
      const run = await runExecPlugin({
        exec: user.exec,
        cluster: clusterInfo(cluster),
        env: access.env,
        timeoutMs: access.execTimeoutMs,
      });
      if (!run.ok)
        return { ok: false, detail: `exec plugin "${user.exec.command}" of ${who}: ${run.detail}` };
      credential = run.credential;
    }
    const options = await httpsOptions(cluster, user, token, credential);
    const headers = { ...headersOf(options), ...impersonation(user) };
    if (user["auth-provider"] !== undefined && headers.Authorization === undefined) {
      return { ok: false, detail: noLogin(user["auth-provider"].name, who) };
    }
    return {
      ok: true,
      connection: { server: cluster.server, headers, ...wayTo(cluster, options, access.env) },
    };
  } catch (error) {
    const provider = user["auth-provider"]?.name;
    // The old auth providers throw where they cannot renew a login.
    if (provider !== undefined && !isFileError(error)) return { ok: false, detail: noLogin(provider, who) };
    return { ok: false, detail: `credentials of ${who}: ${reasonOf(error)}` };
  }
}

/** kubectl lets the file win over `token`, which is then what the file held once. */
async function staticToken(user: KubeconfigUserEntry): Promise<string | undefined> {
  if (user.tokenFile === undefined) return user.token;
  return readFile(user.tokenFile, "utf8");
}

async function httpsOptions(
  cluster: KubeconfigClusterEntry,
  user: KubeconfigUserEntry,
  token: string | undefined,
  credential: ExecCredential | undefined,
): Promise<RequestOptions> {
  const { KubeConfig } = await import("./client-node.ts");
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      { name: "cluster", server: cluster.server, ...serverTrust(cluster), proxyUrl: cluster["proxy-url"] },
    ],
    users: [
      {
        name: "user",
        ...clientCertificate(user, credential),
        token: credential?.token ?? token,
        username: user.username,
        password: user.password,
        authProvider: loginAsItIs(user),
        impersonateUser: user.as,
      },
    ],
    contexts: [{ name: "context", cluster: "cluster", user: "user" }],
    currentContext: "context",
  });
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

/** Where both are given, kubectl takes the data and client-node the file. */
function serverTrust(cluster: KubeconfigClusterEntry): object {
  const caData = cluster["certificate-authority-data"];
  return {
    ...(caData === undefined ? { caFile: cluster["certificate-authority"] } : { caData }),
    tlsServerName: cluster["tls-server-name"],
    // client-node refuses http:, the address of `kubectl proxy`, unless it is told that there is no TLS to verify.
    skipTLSVerify: cluster["insecure-skip-tls-verify"] === true || cluster.server.startsWith("http:"),
  };
}

function clientCertificate(user: KubeconfigUserEntry, credential: ExecCredential | undefined): object {
  const certData = inBase64(credential?.clientCertificateData) ?? user["client-certificate-data"];
  const keyData = inBase64(credential?.clientKeyData) ?? user["client-key-data"];
  return {
    ...(certData === undefined ? { certFile: user["client-certificate"] } : { certData }),
    ...(keyData === undefined ? { keyFile: user["client-key"] } : { keyData }),
  };
}

function inBase64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem).toString("base64");
}

/**
 * Logins of the old auth providers are used while they last and not renewed. Renewing oidc spends the refresh
 * token, and kubectl, which keeps it in the kubeconfig, would have to log in again; azure and gcp run a command
 * without a time limit, and left kubectl in 1.26.
 */
function loginAsItIs(user: KubeconfigUserEntry): object | undefined {
  const provider = user["auth-provider"];
  if (provider === undefined) return undefined;
  const { "refresh-token": _refresh, "cmd-path": _command, ...config } = provider.config ?? {};
  return { name: provider.name, config };
}

function noLogin(provider: string, who: string): string {
  return provider === "oidc"
    ? `the oidc login of ${who} has expired: run any kubectl command with this context, then try again`
    : `the ${provider} auth provider of ${who} gives no token: kubectl 1.26 and newer do not know it, use its exec plugin`;
}

function headersOf(options: RequestOptions): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // A token file ends in a line break, which HTTP forbids.
    if (value !== undefined) headers[name] = Array.isArray(value) ? [...value] : String(value).trim();
  }
  if (typeof options.auth === "string") {
    headers.Authorization = `Basic ${Buffer.from(options.auth).toString("base64")}`;
  }
  return headers;
}

/** client-node passes on `as` alone: without the groups, somebody else would be asked for. */
function impersonation(user: KubeconfigUserEntry): Record<string, string | string[]> {
  return {
    ...(user["as-groups"].length === 0 ? {} : { "Impersonate-Group": user["as-groups"] }),
    ...(user["as-uid"] === undefined ? {} : { "Impersonate-Uid": user["as-uid"] }),
  };
}

/** TLS settings, and client-node's agent where `proxy-url` needs it: its plain agent keeps no connection. */
function wayTo(
  cluster: KubeconfigClusterEntry,
  { ca, cert, key, servername, rejectUnauthorized, agent }: RequestOptions,
  env: Readonly<Record<string, string | undefined>>,
): Pick<HttpsReaderOptions, "tls" | "agent" | "proxyEnv"> {
  const tls = Object.fromEntries(
    Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  if (cluster["proxy-url"] === undefined) {
    const proxyEnv = proxyVariablesFor(cluster.server, env);
    return proxyEnv === undefined ? { tls } : { tls, proxyEnv };
  }
  const proxied = agent as Agent & { keepAlive?: boolean };
  proxied.keepAlive = true;
  return { tls, agent: proxied };
}

function clusterInfo(cluster: KubeconfigClusterEntry): Record<string, unknown> {
  return {
    server: cluster.server,
    "certificate-authority-data": cluster["certificate-authority-data"],
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] === true,
    "tls-server-name": cluster["tls-server-name"],
    "proxy-url": cluster["proxy-url"],
  };
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { path: string } {
  return error instanceof Error && "path" in error && typeof error.path === "string";
}

function reasonOf(error: unknown): string {
  if (isFileError(error)) {
    return `${error.path} cannot be read (${error.code === "ENOENT" ? "no such file" : error.code})`;
  }
  // No message of another library: it may hold what it choked on.
  return "they cannot be used";
}
