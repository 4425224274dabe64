import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { z } from "zod";
import { createManifestReader } from "#src/kubernetes/manifest-reader.ts";
import {
  type ManifestDocument,
  type ManifestSet,
  manifestSetOf,
  parseManifestText,
} from "#src/kubernetes/manifests.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { InventoryCluster } from "./cluster.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
const FILE_BYTES = 512 * 1024 * 1024;

/** What else is read besides files. */
export interface ManifestInput {
  /** Reads `-`. */
  stdin: () => Promise<string>;
  /** The instant of the reading, RFC 3339. */
  at: string;
}

/**
 * Clusters from dumped manifests: every folder is one cluster, the single files (and `-`) together are one.
 *
 * @throws ProxyAuditError `not-found` for a path that does not exist, `invalid-manifest` for text that cannot be
 * parsed (with file and line) or holds no Kubernetes objects, naming the path.
 */
export async function clustersFromManifests(
  paths: readonly string[],
  input: ManifestInput,
): Promise<InventoryCluster[]> {
  const files: string[] = [];
  const clusters: InventoryCluster[] = [];
  for (const path of paths) {
    if (path !== "-" && (await kindOf(path)) === "folder") clusters.push(await fromFolder(path, input.at));
    else files.push(path);
  }
  if (files.length > 0) clusters.push(await fromFiles(files, input));
  return withDistinctNames(clusters);
}

async function kindOf(path: string): Promise<"folder" | "file"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (cause) {
    throw new ProxyAuditError(
      "not-found",
      `no such file or folder: ${path}. Check the path given to --manifests.`,
      {
        cause,
      },
    );
  }
}

async function fromFolder(path: string, at: string): Promise<InventoryCluster> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const documents: ManifestDocument[] = [];
  for (const file of files) documents.push(...parseManifestText(await textOf(file), file));
  return clusterOf(basename(resolve(path)), manifestSetOf(documents, files.length), path, at);
}

async function fromFiles(files: readonly string[], input: ManifestInput): Promise<InventoryCluster> {
  const documents: ManifestDocument[] = [];
  for (const file of files) {
    const text = file === "-" ? await input.stdin() : await textOf(file);
    documents.push(...parseManifestText(text, file === "-" ? "stdin" : file));
  }
  const [first = "-"] = files;
  const name =
    first === "-" ? "stdin" : files.length === 1 ? nameOfFile(first) : basename(dirname(resolve(first)));
  return clusterOf(name, manifestSetOf(documents, files.length), files.join(", "), input.at);
}

function nameOfFile(file: string): string {
  return basename(file, extname(file));
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > FILE_BYTES) {
      throw new ProxyAuditError(
        "invalid-manifest",
        `${file} is larger than 512 MiB. Split the dump into files by kind.`,
      );
    }
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof ProxyAuditError) throw cause;
    throw new ProxyAuditError("not-found", `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

function clusterOf(name: string, set: ManifestSet, path: string, at: string): InventoryCluster {
  if (set.objects.length === 0 && set.lists.size === 0 && !set.others.some(isCloudAnswer)) {
    throw new ProxyAuditError(
      "no-clusters",
      `no Kubernetes objects in ${path === "-" ? "the standard input" : path}. Dump some first, e.g. ` +
        "kubectl get nodes,services,daemonsets,deployments,statefulsets -A -o yaml; " +
        "kubectl get configmaps,pods -n kube-system -o yaml.",
    );
  }
  rejectTwoClusters(set.others);
  return {
    id: `manifests:${name}`,
    name,
    account: null,
    region: null,
    team: null,
    environment: null,
    answers: set.others,
    open: async () => createManifestReader(set, at),
  };
}

/** Top-level keys of the cloud APIs' answers that stand for a cluster by themselves. */
const ANSWER_KEYS = [
  "addon",
  "cluster",
  "nodegroup",
  "networkProfile",
  "properties",
  "kubeproxy.config.k8s.io",
];

function isCloudAnswer({ value }: ManifestDocument): boolean {
  return ANSWER_KEYS.some((key) => value[key] !== undefined);
}

const named = z.object({ name: z.string() });
const aboutCluster = z.object({ clusterName: z.string() });

/** The cluster that a cloud API's answer is about; undefined where it does not say. */
function clusterNameOf({ value }: ManifestDocument): string | undefined {
  const ofAks = value.networkProfile !== undefined || value.properties !== undefined;
  return (
    named.safeParse(value.cluster).data?.name ??
    aboutCluster.safeParse(value.addon).data?.clusterName ??
    aboutCluster.safeParse(value.nodegroup).data?.clusterName ??
    (ofAks ? named.safeParse(value).data?.name : undefined)
  );
}

/** `az aks list`, or answers about two clusters in one folder: judged as one they would be wrong about both. */
function rejectTwoClusters(answers: readonly ManifestDocument[]): void {
  const about = new Map(
    answers.flatMap((answer) => {
      const name = clusterNameOf(answer);
      return name === undefined ? [] : [[name, answer.file] as const];
    }),
  );
  const [first, second] = about;
  if (first === undefined || second === undefined) return;
  throw new ProxyAuditError(
    "invalid-manifest",
    `answers about two clusters: ${first[0]} in ${first[1]} and ${second[0]} in ${second[1]}. Give each cluster's ` +
      "folder by its own --manifests.",
  );
}

function withDistinctNames(clusters: InventoryCluster[]): InventoryCluster[] {
  const seen = new Map<string, number>();
  return clusters.map((cluster) => {
    const count = (seen.get(cluster.name) ?? 0) + 1;
    seen.set(cluster.name, count);
    if (count === 1) return cluster;
    const name = `${cluster.name}-${count}`;
    return { ...cluster, id: `manifests:${name}`, name };
  });
}
