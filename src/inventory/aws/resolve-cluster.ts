import { X509Certificate } from "node:crypto";
import { DescribeClusterCommand } from "@aws-sdk/client-eks";
import { z } from "zod";
import type { AwsAccess } from "#src/aws/access.ts";
import type { AccountClients } from "#src/aws/clients.ts";
import type { EksPublished } from "#src/aws/eks-published.ts";
import { eksToken } from "#src/aws/eks-token.ts";
import { endpointRefusal } from "#src/aws/endpoint-allow-list.ts";
import { asked } from "#src/aws/pages.ts";
import { createHttpsReader, type HttpsReader } from "#src/kubernetes/https-reader.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import { type NotSeen, notSeen, type Observed, type Source, seen, type Unseen } from "#src/model/observed.ts";
import type { InventoryCluster, ReadLimits } from "../cluster.ts";
import { type ClusterRef, clusterIdOf } from "./cluster-ref.ts";
import { failedEntry, okEntry, skippedEntry } from "./entry.ts";
import { type OwnershipRules, ownerOf, type Tags } from "./ownership.ts";

export interface ResolveOptions {
  ownership: OwnershipRules;
  /** The tags of the cluster's account; empty where they were not read. */
  accountTags: Tags;
  published: EksPublished;
  /** Try private endpoints: from inside the VPC, or through a VPN. */
  privateEndpoints: boolean;
  /** Hosts with their port that may be sent a token besides EKS's own names. */
  extraHosts: readonly string[];
  /** Which identity a cluster's access entry names: the member account's role, or the caller's own. */
  kubernetesIdentity: "member" | "caller";
  /** HTTPS_PROXY, NO_PROXY and the like. */
  proxyEnv?: Readonly<Record<string, string | undefined>>;
}

export interface ResolvedCluster {
  entry: InventoryEntry;
  /** null for a cluster that is gone, or whose account cannot be entered. */
  cluster: InventoryCluster | null;
}

const describedSchema = z.object({
  cluster: z.object({
    /** Only of local clusters on Outposts, whose tokens are made for it. */
    id: z.string().nullish(),
    status: z.string().nullish(),
    endpoint: z.string().nullish(),
    certificateAuthority: z.object({ data: z.string().nullish() }).nullish(),
    resourcesVpcConfig: z
      .object({
        endpointPublicAccess: z.boolean().nullish(),
        endpointPrivateAccess: z.boolean().nullish(),
      })
      .nullish(),
    tags: z.record(z.string(), z.string()).nullish(),
  }),
});
type Described = z.infer<typeof describedSchema>["cluster"];

/**
 * The cluster at an address in AWS, described once. One that cannot be described is still a cluster: what the rest
 * of the EKS API says of it is read, and opening it says why it cannot be.
 */
export async function resolveCluster(
  access: AwsAccess,
  ref: ClusterRef,
  options: ResolveOptions,
): Promise<ResolvedCluster> {
  const id = clusterIdOf(ref);
  const opened = await access.account(ref.account);
  if (!opened.ok) return { entry: failedEntry("cluster", id, opened.why, opened.detail), cluster: null };
  const clients = opened.value;
  const { answer, described } = await describe(clients, ref, access.now());
  if (described.seen === false && described.why === "absent") {
    const reason = `deleted since it was listed: ${described.detail}`;
    return { entry: skippedEntry("cluster", id, "absent", reason), cluster: null };
  }
  const tags = described.seen === false ? {} : (described.value.tags ?? {});
  const cluster: InventoryCluster = {
    id,
    name: ref.name,
    account: ref.account,
    region: ref.region,
    ...ownerOf(ref, { cluster: tags, account: options.accountTags }, options.ownership),
    answers: [],
    eks: {
      name: ref.name,
      region: ref.region,
      client: () => clients.eks(ref.region),
      described: answer,
      published: options.published,
      principal:
        options.kubernetesIdentity === "caller" ? access.caller.principal : access.principalIn(ref.account),
      now: access.now,
    },
    open: async (limits = {}) => {
      if (described.seen === false) return described;
      return openReader(described.value, { access, ref, clients, options, limits, source: described.source });
    },
  };
  const entry =
    described.seen === false
      ? failedEntry("cluster", id, described.why, described.detail)
      : okEntry("cluster", id);
  return { entry, cluster };
}

async function describe(
  clients: AccountClients,
  ref: ClusterRef,
  now: Date,
): Promise<{ answer: Observed<unknown>; described: Observed<Described> }> {
  const call = `DescribeCluster (${ref.account}/${ref.region}/${ref.name})`;
  const source: Source = { kind: "eks", ref: call, at: now.toISOString() };
  const answer = await asked(call, () =>
    clients.eks(ref.region).send(new DescribeClusterCommand({ name: ref.name })),
  );
  if (!answer.ok) {
    const unread = notSeen(answer.why, answer.detail, source);
    return { answer: unread, described: unread };
  }
  const parsed = describedSchema.safeParse(answer.value);
  const described = parsed.success
    ? seen(parsed.data.cluster, source)
    : notSeen("invalid", `${call}: the answer is not a cluster`, source);
  return { answer: seen<unknown>(answer.value, source), described };
}

interface Opening {
  access: AwsAccess;
  ref: ClusterRef;
  clients: AccountClients;
  options: ResolveOptions;
  limits: ReadLimits;
  source: Source;
}

/** A reader with a fresh token, for that cluster's certificate authority only; or why there is none. */
async function openReader(cluster: Described, opening: Opening): Promise<HttpsReader | NotSeen> {
  const { access, ref, clients, options } = opening;
  const refused = (why: Unseen, detail: string) => notSeen(why, detail, opening.source);
  const endpoint = cluster.endpoint ?? "";
  if (endpoint === "") {
    return refused(
      "unreachable",
      `the cluster has no endpoint (its status is ${cluster.status ?? "unknown"})`,
    );
  }
  if (cluster.resourcesVpcConfig?.endpointPublicAccess === false && !options.privateEndpoints) {
    return refused(
      "unreachable",
      "private endpoint: the API server answers inside its VPC only. Run the audit there, or allow private endpoints " +
        "where a VPN leads to it",
    );
  }
  const refusal = endpointRefusal(endpoint, ref.region, options.extraHosts);
  if (refusal !== null) return refused("invalid", `the endpoint ${refusal}: no token was sent to it`);
  const ca = authorityOf(cluster.certificateAuthority?.data ?? "");
  if (ca === null) return refused("invalid", "the cluster's certificate authority is not a certificate");
  const identity = options.kubernetesIdentity === "caller" ? access.hub : clients;
  try {
    const token = eksToken({
      clusterName: cluster.id ?? ref.name,
      region: ref.region,
      credentials: await identity.credentials(),
      now: access.now(),
    });
    if (token === null) return refused("invalid", `${ref.region} is not a Region of any AWS partition`);
    return createHttpsReader({
      ...opening.limits,
      ...(options.proxyEnv === undefined ? {} : { proxyEnv: options.proxyEnv }),
      server: endpoint,
      tls: { ca },
      headers: { Authorization: `Bearer ${token.token}` },
    });
  } catch (error) {
    return refused("unauthenticated", `no credentials to sign a token with: ${(error as Error).message}`);
  }
}

/** PEM text of at least one certificate; null for anything else. */
function authorityOf(base64: string): string | null {
  const pem = Buffer.from(base64, "base64").toString("utf8");
  try {
    return new X509Certificate(pem).raw.length > 0 ? pem : null;
  } catch {
    return null;
  }
}
