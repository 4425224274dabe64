import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import { type KubernetesObject, listAt, objectsOf, textAt } from "./api-server/kubernetes-object.ts";
import { readManifest, readManifestFolder } from "./manifests.ts";
import { packageFile } from "#src/package-file.ts";

const CLUSTER_FILE = "cluster.yaml";
const LOG_ENDING = ".log";

const demoClusterSchema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    /** What the cluster is there to show, in a sentence. */
    story: z.string(),
    gitVersion: z.string(),
    account: z.string().nullable(),
    region: z.string().nullable(),
    team: z.string(),
    environment: z.string(),
    /** What the auditor gets: the shipped role, nothing but 403, or no answer at all. */
    access: z.enum(["full", "forbidden", "unreachable"]),
  }),
});

export interface DemoCluster extends z.infer<typeof demoClusterSchema.shape.spec> {
  name: string;
  objects: readonly KubernetesObject[];
  /** Answers of the EKS API, as `aws eks describe-...` prints them. */
  answers: readonly ManifestDocument[];
  /** By `namespace/pod/container`. */
  logs: Readonly<Record<string, string>>;
}

/** The demo's clusters, by name: a folder each, of plain manifests, so that they can be scanned as a dump too. */
export function readDemoFleet(): DemoCluster[] {
  const folder = packageFile("src/demo/fleet");
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readDemoCluster(join(folder, entry.name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readDemoCluster(folder: string): DemoCluster {
  const { metadata, spec } = demoClusterSchema.parse(readManifest(join(folder, CLUSTER_FILE))[0]?.value);
  const { objects: documents, others } = readManifestFolder(folder);
  const { objects } = objectsOf(documents.filter(({ kind }) => kind !== "DemoCluster").map(({ raw }) => raw));
  return {
    name: metadata.name,
    ...spec,
    objects,
    answers: others,
    logs: readLogs(join(folder, "logs"), objects),
  };
}

/** `logs/kube-proxy.log` is what every container of that name has printed. */
function readLogs(folder: string, objects: readonly KubernetesObject[]): Record<string, string> {
  if (!existsSync(folder)) return {};
  const byContainer = new Map(
    readdirSync(folder).map((file) => [basename(file, LOG_ENDING), readFileSync(join(folder, file), "utf8")]),
  );
  const entries = objects
    .filter(({ kind }) => kind === "Pod")
    .flatMap((pod) =>
      listAt(pod, "spec.containers").flatMap((container) => {
        const name = textAt(container, "name") ?? "";
        const log = byContainer.get(name);
        return log === undefined
          ? []
          : [[`${pod.metadata.namespace}/${pod.metadata.name}/${name}`, log] as const];
      }),
    );
  return Object.fromEntries(entries);
}
