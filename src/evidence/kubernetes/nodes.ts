import { z } from "zod";
import type { ClusterReader, Fold, Listed, ListRequest, Page } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { type Observed, type PartlySeen, partlySeen, type Seen } from "#src/model/observed.ts";
import { kubeProxyArgsOfNode, type NodeArgs } from "./node-args.ts";

/** EKS compute types on which the cluster's own kube-proxy does not run (`auto`, `fargate`) or does (`hybrid`). */
export type ComputeType = "auto" | "fargate" | "hybrid" | "virtual";

/** What the audit keeps of a Node: a few hundred bytes, so that 15,000 fit. */
export interface NodeFacts {
  name: string;
  kubeletVersion: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  /** null where neither the label nor nodeInfo was read. */
  os: "linux" | "windows" | null;
  compute: ComputeType | null;
  pool: string | null;
  /** k3s and RKE2: what the node's own kube-proxy is started with. */
  nodeArgs: NodeArgs | null;
  /** Labels that tell the provider, e.g. `microk8s.io/cluster`. Empty where nodes were read as a Table. */
  labels: Readonly<Record<string, string>>;
}

const metadataSchema = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
});

const nodeSchema = z.object({
  metadata: metadataSchema,
  status: z
    .object({
      nodeInfo: z
        .object({
          kubeletVersion: z.string().default(""),
          kernelVersion: z.string().default(""),
          osImage: z.string().default(""),
          operatingSystem: z.string().default(""),
          containerRuntimeVersion: z.string().default(""),
        })
        .partial()
        .nullish(),
    })
    .nullish(),
});

const metadataOnlySchema = z.object({ metadata: metadataSchema });

/** Labels by which pools of nodes are told apart, most specific first. */
const POOL_LABELS = [
  "eks.amazonaws.com/nodegroup",
  "alpha.eksctl.io/nodegroup-name",
  "karpenter.sh/nodepool",
  "karpenter.sh/provisioner-name",
  "cloud.google.com/gke-nodepool",
  "kubernetes.azure.com/agentpool",
  "agentpool",
  "worker.gardener.cloud/pool",
  "kops.k8s.io/instancegroup",
  "alibabacloud.com/nodepool-id",
  "node.alibabacloud.com/nodepool-id",
  "doks.digitalocean.com/node-pool",
  "yandex.cloud/node-group-id",
  "oci.oraclecloud.com/node-pool-id",
  "node-pool",
  "cluster.x-k8s.io/deployment-name",
  "machine-deployment",
] as const;

/** Below this many nodes one metadata list is cheaper than finding pools by their labels. */
const METADATA_UP_TO = 200;
/** A cluster with more pools than this has the rest named by their image. */
const POOLS_AT_MOST = 60;
const UNLABELLED_IN_A_ROW = 3;

const COLUMNS = {
  name: "Name",
  kubeletVersion: "Version",
  osImage: "OS-Image",
  kernelVersion: "Kernel-Version",
  containerRuntimeVersion: "Container-Runtime",
} as const;

/**
 * The cluster's nodes, read as a server-side Table where the server has one (1.1 MB instead of 75 MB for 5,000
 * nodes), as objects otherwise. A Table has no labels, so operating system, compute type and pool come from a
 * metadata list in small clusters and from selectors in large ones.
 */
export async function readNodes(reader: ClusterReader): Promise<Observed<NodeFacts[]>> {
  const read = await reader.list({ resource: RESOURCES.nodes, as: "table" }, NODES);
  if (read.seen === false) return read;
  const { nodes, complete, asTable } = read.value.value;
  if (!complete) {
    const objects = await reader.list({ resource: RESOURCES.nodes }, NODES);
    return objects.seen === false ? objects : listOf(objects);
  }
  if (!asTable) return listOf(read);

  const annotated = [...nodes.values()].some((node) => /\+(k3s|rke2)/.test(node.kubeletVersion));
  const labelled =
    nodes.size <= METADATA_UP_TO || annotated
      ? await addMetadata(reader, nodes)
      : await addBySelectors(reader, nodes);
  if (labelled.seen === true || read.seen === "partial") return listOf(read);
  const what = "node labels (operating system, compute type, pool)";
  return partlySeen([...nodes.values()], labelled.why, `${what}: ${labelled.detail}`, read.source);
}

interface NodesRead {
  nodes: Map<string, NodeFacts>;
  asTable: boolean;
  /** False when a Table lacks a column that the audit needs. */
  complete: boolean;
  /** Objects that are not of a Node's shape. */
  malformed: number;
}

const NODES: Fold<NodesRead> = {
  start: () => ({ nodes: new Map(), asTable: false, complete: true, malformed: 0 }),
  add(read, page) {
    if (page.kind === "table") addTable(read, page);
    else for (const item of page.items) addObject(read, item);
  },
};

function addTable(read: NodesRead, page: Page & { kind: "table" }): void {
  read.asTable = true;
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([key, column]) => [key, page.columns.indexOf(column)]),
  ) as Record<keyof typeof COLUMNS, number>;
  if (Object.values(at).some((index) => index < 0)) {
    read.complete = false;
    return;
  }
  for (const row of page.rows) {
    const name = cell(row, at.name);
    const osImage = cell(row, at.osImage);
    read.nodes.set(name, {
      name,
      kubeletVersion: cell(row, at.kubeletVersion),
      // From 1.36.2 on the cell ends in the architecture: `5.15.0-101-generic (amd64)`.
      kernelVersion: cell(row, at.kernelVersion).replace(/ \([a-z0-9_]+\)$/, ""),
      osImage,
      containerRuntimeVersion: cell(row, at.containerRuntimeVersion),
      os: null,
      compute: null,
      pool: null,
      nodeArgs: null,
      labels: {},
    });
  }
}

/** A cell's text; "" for the server's placeholders. */
function cell(row: readonly unknown[], index: number): string {
  const value = String(row[index] ?? "");
  return value === "<unknown>" || value === "<none>" ? "" : value;
}

function addObject(read: NodesRead, item: unknown): void {
  const parsed = nodeSchema.safeParse(item);
  if (!parsed.success) {
    read.malformed += 1;
    return;
  }
  const info = parsed.data.status?.nodeInfo ?? {};
  const node: NodeFacts = {
    name: parsed.data.metadata.name,
    kubeletVersion: info.kubeletVersion ?? "",
    kernelVersion: info.kernelVersion ?? "",
    osImage: info.osImage ?? "",
    containerRuntimeVersion: info.containerRuntimeVersion ?? "",
    os: osOf(info.operatingSystem),
    compute: null,
    pool: null,
    nodeArgs: null,
    labels: {},
  };
  read.nodes.set(node.name, node);
  addLabels(node, parsed.data.metadata);
}

function osOf(text: string | undefined): NodeFacts["os"] {
  return text === "linux" || text === "windows" ? text : null;
}

function addLabels(node: NodeFacts, metadata: z.infer<typeof metadataSchema>): void {
  const labels = metadata.labels ?? {};
  node.labels = keptLabels(labels);
  node.os ??= osOf(labels["kubernetes.io/os"] ?? labels["beta.kubernetes.io/os"]);
  node.compute = computeOf(labels);
  node.pool = poolOf(labels);
  node.nodeArgs = kubeProxyArgsOfNode(metadata.annotations ?? {});
}

function computeOf(labels: Record<string, string>): ComputeType | null {
  const eks = labels["eks.amazonaws.com/compute-type"];
  if (eks === "auto" || eks === "fargate" || eks === "hybrid") return eks;
  if (labels.type === "virtual-kubelet" || labels.type === "kwok") return "virtual";
  return null;
}

function poolOf(labels: Record<string, string>): string | null {
  for (const label of POOL_LABELS) {
    const value = labels[label];
    if (value) return value;
  }
  return null;
}

/** Only the labels that providers are recognised by: a node has dozens. */
const KEPT_LABEL =
  /^(eks\.amazonaws\.com\/|microk8s\.io\/|node\.kubernetes\.io\/microk8s|cloud\.google\.com\/gke-|kubernetes\.azure\.com\/(cluster|mode)|worker\.gardener\.cloud\/|kops\.k8s\.io\/|node\.openshift\.io\/|talos\.dev\/|node\.k0sproject\.io\/|alibabacloud\.com\/|machine\.k8c\.io|oci\.oraclecloud\.com\/|doks\.digitalocean\.com\/|yandex\.cloud\/|non-calico)/;

function keptLabels(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => KEPT_LABEL.test(key)));
}

async function addMetadata(reader: ClusterReader, nodes: Map<string, NodeFacts>): Promise<Observed<unknown>> {
  return reader.list(
    { resource: RESOURCES.nodes, as: "metadata" },
    {
      start: () => undefined,
      add(_, page) {
        if (page.kind !== "objects") return;
        for (const item of page.items) {
          const parsed = metadataOnlySchema.safeParse(item);
          const node = parsed.success ? nodes.get(parsed.data.metadata.name) : undefined;
          if (parsed.success && node) addLabels(node, parsed.data.metadata);
        }
      },
    },
  );
}

async function addBySelectors(
  reader: ClusterReader,
  nodes: Map<string, NodeFacts>,
): Promise<Observed<unknown>> {
  const windows = await namesBySelector(reader, "kubernetes.io/os=windows");
  if (windows.seen !== true) return windows;
  for (const node of nodes.values()) node.os = windows.value.has(node.name) ? "windows" : "linux";
  const onEks = [...nodes.values()].some((node) => node.kubeletVersion.includes("-eks-"));
  for (const compute of onEks ? (["auto", "fargate", "hybrid"] as const) : []) {
    const names = await namesBySelector(reader, `eks.amazonaws.com/compute-type=${compute}`);
    if (names.seen !== true) return names;
    for (const name of names.value) {
      const node = nodes.get(name);
      if (node) node.compute = compute;
    }
  }
  return peelPools(reader, nodes, windows);
}

/**
 * Pools by peeling: the metadata of one node that has no pool yet names its pool label; a Table by that
 * selector names the others; and again, until every node has a pool or nodes turn out to have none.
 */
async function peelPools(
  reader: ClusterReader,
  nodes: Map<string, NodeFacts>,
  ok: Observed<unknown>,
): Promise<Observed<unknown>> {
  const unassigned = new Set(nodes.keys());
  let unlabelled = 0;
  for (let pools = 0; unassigned.size > 0 && pools < POOLS_AT_MOST && unlabelled < UNLABELLED_IN_A_ROW; ) {
    const [name] = unassigned;
    if (name === undefined) break;
    unassigned.delete(name);
    const read = await reader.get(RESOURCES.nodes, { name }, "metadata");
    if (read.seen === false && read.why === "absent") continue;
    if (read.seen !== true) return read;
    const parsed = metadataOnlySchema.safeParse(read.value);
    const node = nodes.get(name);
    if (!parsed.success || !node) continue;
    const labels = parsed.data.metadata.labels ?? {};
    node.labels = keptLabels(labels);
    const label = POOL_LABELS.find((key) => labels[key]);
    if (label === undefined) {
      unlabelled += 1;
      continue;
    }
    unlabelled = 0;
    pools += 1;
    node.pool = labels[label] ?? null;
    const members = await namesBySelector(reader, `${label}=${node.pool}`);
    if (members.seen !== true) return members;
    for (const member of members.value) {
      const found = nodes.get(member);
      if (!found) continue;
      found.pool = node.pool;
      unassigned.delete(member);
    }
  }
  return ok;
}

async function namesBySelector(reader: ClusterReader, labelSelector: string): Promise<Observed<Set<string>>> {
  const request: ListRequest = { resource: RESOURCES.nodes, as: "table", labelSelector };
  const read = await reader.list(request, NODES);
  return read.seen === false ? read : { ...read, value: new Set(read.value.value.nodes.keys()) };
}

function listOf(read: Seen<Listed<NodesRead>> | PartlySeen<Listed<NodesRead>>): Observed<NodeFacts[]> {
  const { nodes, malformed } = read.value.value;
  const list = [...nodes.values()];
  if (malformed === 0 || read.seen === "partial") return { ...read, value: list };
  return partlySeen(list, "invalid", `${malformed} objects are not of a Node's shape`, read.source);
}
