import { readFile } from "node:fs/promises";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { createHttpsReader } from "#src/kubernetes/https-reader.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { ReadLimits } from "./cluster.ts";

/** Where Kubernetes puts a pod's identity, as its clients look for it (`client-go/rest.InClusterConfig`). */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * A reader for the cluster that this process runs in, with its ServiceAccount's rights.
 *
 * @throws ProxyAuditError `usage` outside of a cluster.
 */
export async function openInCluster(
  env: Readonly<Record<string, string | undefined>>,
  options: { limits?: ReadLimits; folder?: string } = {},
): Promise<ClusterReader> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (!host) {
    throw new ProxyAuditError(
      "usage",
      "KUBERNETES_SERVICE_HOST is not set: this command runs in a pod of the cluster that it audits.",
    );
  }
  const folder = options.folder ?? SERVICE_ACCOUNT;
  try {
    const [ca, token] = await Promise.all([
      readFile(`${folder}/ca.crt`),
      readFile(`${folder}/token`, "utf8"),
    ]);
    return createHttpsReader({
      ...options.limits,
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      tls: { ca },
      headers: { Authorization: `Bearer ${token.trim()}` },
    });
  } catch (cause) {
    throw new ProxyAuditError("usage", `the pod has no ServiceAccount token: ${(cause as Error).message}`, {
      cause,
    });
  }
}
