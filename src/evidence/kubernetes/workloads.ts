import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import type { Resource } from "#src/kubernetes/resources.ts";
import type { Observed } from "#src/model/observed.ts";
import { type PodContainer, type PodSpec, podSpecSchema, runsOnWindows, strings } from "./pod-spec.ts";
import { itemsOf, projecting } from "./projecting.ts";

/** Where an environment variable's value comes from. Values may hold secrets: never printed whole. */
export type EnvValue =
  | { from: "value"; value: string }
  | { from: "configMap"; name: string; key: string }
  | { from: "field"; path: string }
  | { from: "other" };

/** A ConfigMap whose every key becomes a variable, or something that is never read, such as a Secret. */
export type EnvSource = { from: "configMap"; name: string; prefix: string } | { from: "other" };

export interface Container {
  name: string;
  image: string;
  command: string[] | null;
  args: string[] | null;
  env: Record<string, EnvValue>;
  /** What gives all its keys as environment variables, in order: the last one wins. */
  envFrom: EnvSource[];
  mounts: { name: string; path: string; subPath: string | null }[];
}

/** A volume that shows keys of one ConfigMap as files. */
export interface ConfigMapVolume {
  volume: string;
  configMap: string;
  /** Key to file name; null: every key under its own name. */
  items: Record<string, string> | null;
  optional: boolean;
}

/** What the audit keeps of anything that has a pod template, or of a pod. */
export interface Workload {
  kind: "DaemonSet" | "Deployment" | "StatefulSet" | "CronJob" | "Job" | "Pod";
  namespace: string;
  name: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** Pod labels by which its pods are found; null where the kind has none. */
  selector: Record<string, string> | null;
  containers: Container[];
  initContainers: Container[];
  configMapVolumes: ConfigMapVolume[];
  nodeSelector: Record<string, string>;
  hostNetwork: boolean;
  windows: boolean;
  /** Pods that should run: 0 means idle, null that the object does not say. */
  desired: number | null;
  ready: number | null;
  /** Pods: the nodes that alike ones run on, and since when the oldest runs. */
  nodes: string[];
  startedAt: string | null;
}

const metadataSchema = z.object({
  name: z.string(),
  namespace: z.string().default("default"),
  labels: strings,
  annotations: strings,
});

const templateSchema = z.object({
  metadata: z.object({ labels: strings }).nullish(),
  spec: podSpecSchema,
});

const workloadSchema = z.object({
  metadata: metadataSchema,
  spec: z.object({
    replicas: z.number().nullish(),
    selector: z.object({ matchLabels: strings }).nullish(),
    template: templateSchema.nullish(),
    jobTemplate: z.object({ spec: z.object({ template: templateSchema }) }).nullish(),
  }),
  status: z
    .object({
      desiredNumberScheduled: z.number().nullish(),
      numberReady: z.number().nullish(),
      readyReplicas: z.number().nullish(),
      active: z.number().nullish(),
    })
    .nullish(),
});

const podSchema = z.object({
  metadata: metadataSchema,
  spec: podSpecSchema,
  status: z.object({ startTime: z.string().nullish() }).nullish(),
});

/** Every object of one kind of workload in the cluster, projected page by page. */
export async function readWorkloads(
  reader: ClusterReader,
  resource: Resource,
): Promise<Observed<Workload[]>> {
  const kind = resource.kind as Workload["kind"];
  return itemsOf(
    await reader.list(
      { resource },
      projecting((item) => workloadOf(item, kind)),
    ),
  );
}

/** A DaemonSet, Deployment, StatefulSet, Job or CronJob as the audit keeps it; null when it is not one. */
export function workloadOf(object: unknown, kind: Workload["kind"]): Workload | null {
  const parsed = workloadSchema.safeParse(object);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  const template = spec.template ?? spec.jobTemplate?.spec.template;
  if (!template) return null;
  return {
    kind,
    ...identity(metadata),
    selector: spec.selector?.matchLabels ?? null,
    ...podFacts(template.spec),
    desired:
      kind === "DaemonSet"
        ? (status?.desiredNumberScheduled ?? null)
        : kind === "Job"
          ? (status?.active ?? 0)
          : (spec.replicas ?? null),
    ready: status?.numberReady ?? status?.readyReplicas ?? null,
    nodes: [],
    startedAt: null,
  };
}

/** A pod as a workload of its own; null when the object is not a pod. */
export function workloadOfPod(object: unknown): Workload | null {
  const parsed = podSchema.safeParse(object);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  return {
    kind: "Pod",
    ...identity(metadata),
    selector: null,
    ...podFacts(spec),
    desired: 1,
    ready: null,
    nodes: spec.nodeName ? [spec.nodeName] : [],
    startedAt: status?.startTime ?? null,
  };
}

/** The annotations the audit looks at; managed fields and last-applied copies never count as evidence. */
const KEPT_ANNOTATION = /^(kubernetes\.io\/config\.(source|mirror)|meta\.helm\.sh\/release-name)$/;

function identity(metadata: z.infer<typeof metadataSchema>) {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => KEPT_ANNOTATION.test(key));
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    labels: metadata.labels ?? {},
    annotations: Object.fromEntries(annotations),
  };
}

function podFacts(spec: PodSpec) {
  return {
    containers: spec.containers.map(containerOf),
    initContainers: (spec.initContainers ?? []).map(containerOf),
    configMapVolumes: configMapVolumesOf(spec),
    nodeSelector: spec.nodeSelector ?? {},
    hostNetwork: spec.hostNetwork ?? false,
    windows: runsOnWindows(spec),
  };
}

function containerOf(container: PodContainer): Container {
  return {
    name: container.name,
    image: container.image,
    command: container.command ?? null,
    args: container.args ?? null,
    env: Object.fromEntries((container.env ?? []).map((entry) => [entry.name, envValueOf(entry)])),
    envFrom: (container.envFrom ?? []).map(({ configMapRef, prefix }) =>
      configMapRef ? { from: "configMap", name: configMapRef.name, prefix: prefix ?? "" } : { from: "other" },
    ),
    mounts: (container.volumeMounts ?? []).map((mount) => ({
      name: mount.name,
      path: mount.mountPath,
      subPath: mount.subPath ?? null,
    })),
  };
}

function envValueOf(entry: NonNullable<PodContainer["env"]>[number]): EnvValue {
  if (entry.valueFrom?.configMapKeyRef) return { from: "configMap", ...entry.valueFrom.configMapKeyRef };
  if (entry.valueFrom?.fieldRef) return { from: "field", path: entry.valueFrom.fieldRef.fieldPath };
  if (entry.valueFrom) return { from: "other" };
  return { from: "value", value: entry.value ?? "" };
}

function configMapVolumesOf(spec: PodSpec): ConfigMapVolume[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    const projected = (volume.projected?.sources ?? []).flatMap((source) => source.configMap ?? []);
    const sources = volume.configMap ? [volume.configMap] : projected;
    return sources.map((source) => ({
      volume: volume.name,
      configMap: source.name,
      items: source.items ? Object.fromEntries(source.items.map((item) => [item.key, item.path])) : null,
      optional: source.optional ?? false,
    }));
  });
}
