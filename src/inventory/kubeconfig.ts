import { systemClock } from "#src/kubernetes/clock.ts";
import {
  createHttpsReader,
  type HttpsReader,
  type HttpsReaderOptions,
} from "#src/kubernetes/https-reader.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { type NotSeen, notSeen, type Source } from "#src/model/observed.ts";
import { closestName } from "./closest-name.ts";
import type { InventoryCluster } from "./cluster.ts";
import { connectionOf } from "./kubeconfig-auth.ts";
import { kubeconfigFiles, type MergedKubeconfig, readKubeconfig } from "./kubeconfig-file.ts";
import { type KubeconfigClusterEntry, type KubeconfigUserEntry, noUser } from "./kubeconfig-schema.ts";

export interface KubeconfigRequest {
  /** Replaces KUBECONFIG; may be a list as PATH is one. */
  file?: string;
  /** KUBECONFIG, HOME and the proxy variables; exec plugins get all of it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Default: the current context. */
  contexts?: readonly string[];
  allContexts?: boolean;
  /** Default 30 s. */
  execTimeoutMs?: number;
}

/** Limits and the like of the reader; the kubeconfig says the rest. */
export type ReaderLimits = Omit<HttpsReaderOptions, "server" | "tls" | "headers" | "agent" | "proxyEnv">;

export interface KubeconfigCluster extends InventoryCluster {
  server: string;
  /** Other selected contexts that lead to the same cluster, which is audited once. */
  alsoKnownAs: readonly string[];
  /** A reader with the context's credentials, or why there are none. Nothing is sent to the cluster yet. */
  open(limits?: ReaderLimits): Promise<HttpsReader | NotSeen>;
}

interface Choice {
  context: string;
  clusterName: string;
  cluster: KubeconfigClusterEntry;
  userName: string;
  user: KubeconfigUserEntry;
}

/**
 * The clusters that a kubeconfig's contexts lead to.
 *
 * @throws ProxyAuditError `invalid-kubeconfig` for a file that is missing, cannot be read or contradicts itself,
 * `not-found` for a context that it does not have, `no-clusters` where it has none.
 */
export async function clustersFromKubeconfig(
  request: KubeconfigRequest,
): Promise<{ clusters: KubeconfigCluster[] }> {
  const config = await readKubeconfig(kubeconfigFiles(request.file, request.env));
  const byTarget = new Map<string, KubeconfigCluster & { alsoKnownAs: string[] }>();
  for (const context of contextsOf(config, request)) {
    const choice = choiceOf(config, context);
    const target = targetOf(choice);
    const known = byTarget.get(target);
    if (known === undefined) byTarget.set(target, clusterOf(choice, request));
    else if (known.name !== context) known.alsoKnownAs.push(context);
  }
  return { clusters: [...byTarget.values()] };
}

function contextsOf(config: MergedKubeconfig, request: KubeconfigRequest): readonly string[] {
  const there = [...config.contexts.keys()];
  const files = config.files.join(", ");
  const [only] = there;
  if (only === undefined) {
    throw new ProxyAuditError("no-clusters", `no contexts in ${files}: is this the right kubeconfig?`);
  }
  if (request.allContexts === true) return there;
  if (request.contexts !== undefined && request.contexts.length > 0) return request.contexts;
  if (config.currentContext !== undefined) return [config.currentContext];
  if (there.length === 1) return [only];
  throw new ProxyAuditError(
    "usage",
    `no current context in ${files}: choose with --context or --all-contexts. ${listOf(there)}`,
  );
}

function choiceOf(config: MergedKubeconfig, name: string): Choice {
  const files = config.files.join(", ");
  const context = config.contexts.get(name);
  if (context === undefined) {
    const there = [...config.contexts.keys()];
    const near = closestName(name, there);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new ProxyAuditError("not-found", `no context "${name}" in ${files}.${hint} ${listOf(there)}`);
  }
  const clusterName = context.cluster ?? "";
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) {
    throw contradiction(
      files,
      name,
      clusterName === "" ? "names no cluster" : `names cluster "${clusterName}", which is not there`,
    );
  }
  if (!/^https?:\/\//.test(cluster.server) || !URL.canParse(cluster.server)) {
    throw contradiction(
      files,
      name,
      `leads to cluster "${clusterName}", whose server is not an https address`,
    );
  }
  const proxy = cluster["proxy-url"];
  if (proxy !== undefined && !(/^(?:https?|socks\w*):\/\//.test(proxy) && URL.canParse(proxy))) {
    throw contradiction(
      files,
      name,
      `leads to cluster "${clusterName}", whose proxy-url is not the address of a proxy`,
    );
  }
  const userName = context.user ?? "";
  const user = userName === "" ? noUser() : config.users.get(userName);
  if (user === undefined) throw contradiction(files, name, `names user "${userName}", which is not there`);
  return { context: name, clusterName, cluster, userName, user };
}

/**
 * The same server with the same CA is the same cluster, whoever asks. But for Teleport, which leads to all its
 * clusters through one address and tells them apart by what the login is for (`tsh kube credentials
 * --kube-cluster=...`).
 */
function targetOf({ cluster, user }: Choice): string {
  return JSON.stringify([
    new URL(cluster.server).href.replace(/\/$/, ""),
    cluster["certificate-authority-data"] ?? cluster["certificate-authority"] ?? "",
    cluster["tls-server-name"] ?? "",
    cluster["proxy-url"] ?? "",
    user.exec?.args.filter((argument) => argument.startsWith("--kube-cluster")) ?? [],
  ]);
}

function clusterOf(
  choice: Choice,
  request: KubeconfigRequest,
): KubeconfigCluster & { alsoKnownAs: string[] } {
  const { context, cluster, user, userName } = choice;

  async function open(limits: ReaderLimits = {}): Promise<HttpsReader | NotSeen> {
    const { env, execTimeoutMs = 30_000 } = request;
    const found = await connectionOf({ cluster, user, userName, env, execTimeoutMs });
    const at = (limits.clock ?? systemClock).now().toISOString();
    const source: Source = { kind: "kubernetes", ref: `kubeconfig:${context}`, at };
    if (!found.ok) return notSeen("unauthenticated", found.detail, source);
    try {
      return createHttpsReader({ ...limits, ...found.connection });
    } catch {
      // Node checks the address of a proxy when the connection pool is made.
      return notSeen("unreachable", "HTTPS_PROXY or HTTP_PROXY is not the address of a proxy", source);
    }
  }

  return {
    id: `kubeconfig:${context}`,
    name: context,
    ...eksPlaceOf(choice.clusterName),
    team: null,
    environment: null,
    answers: [],
    server: cluster.server,
    alsoKnownAs: [],
    open,
  };
}

/** `aws eks update-kubeconfig` names the cluster by its ARN. */
function eksPlaceOf(clusterName: string): { account: string | null; region: string | null } {
  const [, region = null, account = null] =
    /^arn:aws[\w-]*:eks:([\w-]+):(\d{12}):cluster\//.exec(clusterName) ?? [];
  return { account, region };
}

function contradiction(files: string, context: string, what: string): ProxyAuditError {
  return new ProxyAuditError("invalid-kubeconfig", `context "${context}" in ${files} ${what}`, {
    cluster: `kubeconfig:${context}`,
  });
}

function listOf(contexts: readonly string[]): string {
  const shown = contexts.slice(0, 20).join(", ");
  return `Contexts: ${shown}${contexts.length > 20 ? ` and ${contexts.length - 20} more` : ""}.`;
}
