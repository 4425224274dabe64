import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import { packageFile } from "#src/package-file.ts";
import { type KubernetesObject, listAt, objectsOf, textAt } from "./api-server/kubernetes-object.ts";
import { fillerObjects, fillerSchema } from "./filler.ts";
import { readManifest, readManifestFolder } from "./manifests.ts";
import type { MetricsPages } from "./prometheus/scraped-series.ts";

const CLUSTER_FILE = "cluster.yaml";
const LOG_ENDING = ".log";
const METRICS_ENDING = ".prom";

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
    filler: fillerSchema.optional(),
  }),
});

export interface DemoCluster extends Omit<z.infer<typeof demoClusterSchema.shape.spec>, "filler"> {
  name: string;
  objects: readonly KubernetesObject[];
  /** Answers of the EKS API, as `aws eks describe-...` prints them. */
  answers: readonly ManifestDocument[];
  /** By `namespace/pod/container`. */
  logs: Readonly<Record<string, string>>;
  /** What a Prometheus of the cluster scrapes; null where it has none. */
  metrics: MetricsPages | null;
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
  const { filler, ...described } = spec;
  const { objects: documents, others } = readManifestFolder(folder);
  const { objects } = objectsOf(documents.filter(({ kind }) => kind !== "DemoCluster").map(({ raw }) => raw));
  return {
    name: metadata.name,
    ...described,
    objects: filler === undefined ? objects : [...objects, ...fillerObjects(filler)],
    answers: others,
    logs: readLogs(join(folder, "logs"), objects),
    metrics: readMetrics(join(folder, "metrics")),
  };
}

/** `logs/kube-proxy.log` is what every container of that name has printed, `logs/POD.kube-proxy.log` what one has. */
function readLogs(folder: string, objects: readonly KubernetesObject[]): Record<string, string> {
  const byContainer = textsIn(folder, LOG_ENDING);
  const entries = objects
    .filter(({ kind }) => kind === "Pod")
    .flatMap((pod) =>
      listAt(pod, "spec.containers").flatMap((container) => {
        const name = textAt(container, "name") ?? "";
        const log = byContainer.get(`${pod.metadata.name}.${name}`) ?? byContainer.get(name);
        return log === undefined
          ? []
          : [[`${pod.metadata.namespace}/${pod.metadata.name}/${name}`, log] as const];
      }),
    );
  return Object.fromEntries(entries);
}

/** `metrics/kube-proxy.prom` and `metrics/kubelet.prom`: what each of them answers to GET /metrics. */
function readMetrics(folder: string): MetricsPages | null {
  const pages = textsIn(folder, METRICS_ENDING);
  return pages.size === 0 ? null : Object.fromEntries(pages);
}

/** The files of a folder by name, without the ending; none where there is no folder. */
function textsIn(folder: string, ending: string): Map<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(files.map((file) => [basename(file, ending), readFileSync(join(folder, file), "utf8")]));
}
