import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { parseKubeProxyLog } from "#src/kubernetes/log.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import {
  type NotSeen,
  notSeen,
  type Observed,
  type PartlySeen,
  partlySeen,
  type Source,
  seen,
} from "#src/model/observed.ts";
import type { ProxyLog } from "../evidence.ts";
import { itemsOf, projecting } from "./projecting.ts";
import type { Workload } from "./workloads.ts";

/** One pod of a kube-proxy DaemonSet. */
export interface ProxyPod {
  namespace: string;
  name: string;
  /** The DaemonSet it belongs to. */
  workload: string;
  container: string;
  node: string | null;
  /** Since when its container runs; since when the pod is there where that is not told. */
  startedAt: string | null;
  phase: string;
  /** Why its container is not running, e.g. `CrashLoopBackOff`. */
  waiting: string | null;
  restarts: number;
  image: string;
}

const podSchema = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().default("default") }),
  spec: z.object({
    nodeName: z.string().nullish(),
    containers: z.array(z.object({ name: z.string(), image: z.string().default("") })).min(1),
  }),
  status: z
    .object({
      phase: z.string().default(""),
      startTime: z.string().nullish(),
      containerStatuses: z
        .array(
          z.object({
            name: z.string().default(""),
            restartCount: z.number().default(0),
            state: z
              .object({
                waiting: z.object({ reason: z.string().default("") }).nullish(),
                running: z.object({ startedAt: z.string().nullish() }).nullish(),
              })
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

const PODS_SAMPLED = 20;
const LOG_BYTES = 64 * 1024;

/** A sample of the pods of kube-proxy's DaemonSets: the template tells the rest. */
export async function readProxyPods(
  reader: ClusterReader,
  daemonSets: readonly { workload: Workload; container: string }[],
): Promise<Observed<ProxyPod[]>> {
  const pods: ProxyPod[] = [];
  let failed: NotSeen | PartlySeen<ProxyPod[]> | null = null;
  let source: Source = { kind: "kubernetes", ref: "pods of kube-proxy", at: "" };
  for (const { workload, container } of daemonSets) {
    if (workload.selector === null) continue;
    const labelSelector = Object.entries(workload.selector)
      .map(([key, value]) => `${key}=${value}`)
      .join(",");
    const request = { resource: RESOURCES.pods, namespace: workload.namespace, labelSelector };
    const fold = projecting(podOf(workload, container));
    const read = itemsOf(
      await reader.list({ ...request, pageSize: PODS_SAMPLED, atMost: PODS_SAMPLED }, fold),
    );
    source = read.source;
    if (read.seen !== true) failed = read;
    if (read.seen !== false) pods.push(...read.value);
  }
  if (failed === null) return seen(pods, source);
  return pods.length === 0 && failed.seen === false
    ? failed
    : partlySeen(pods, failed.why, failed.detail, failed.source);
}

function podOf(workload: Workload, container: string): (item: unknown) => ProxyPod | null {
  return (item) => {
    const parsed = podSchema.safeParse(item);
    if (!parsed.success) return null;
    const { metadata, spec, status } = parsed.data;
    const state = status?.containerStatuses?.find((entry) => entry.name === container);
    return {
      namespace: metadata.namespace,
      name: metadata.name,
      workload: workload.name,
      container,
      node: spec.nodeName ?? null,
      // A container that restarted in its pod has read its configuration again.
      startedAt: state?.state?.running?.startedAt ?? status?.startTime ?? null,
      phase: status?.phase ?? "",
      waiting: state?.state?.waiting?.reason || null,
      restarts: state?.restartCount ?? 0,
      image: spec.containers.find((entry) => entry.name === container)?.image ?? "",
    };
  };
}

/** The start of the newest pods' logs, where kube-proxy says which proxier it uses. */
export async function readProxyLogs(
  reader: ClusterReader,
  pods: Observed<Pick<ProxyPod, "namespace" | "name" | "container" | "startedAt">[]>,
  atMost: number,
): Promise<Observed<ProxyLog[]>> {
  if (pods.seen === false) return pods;
  const newest = pods.value.toSorted((a, b) => (b.startedAt ?? "").localeCompare(a.startedAt ?? ""));
  if (newest.length === 0)
    return notSeen("not-requested", "no kube-proxy pod whose log could be read", pods.source);
  const logs: ProxyLog[] = [];
  let last: Observed<string> | null = null;
  for (const { namespace, name, container } of newest.slice(0, atMost)) {
    const read = await reader.podLog({ namespace, pod: name, container, limitBytes: LOG_BYTES });
    last = read;
    if (read.seen === false) {
      if (read.why === "forbidden") break;
      continue;
    }
    logs.push({ namespace, pod: name, parsed: parseKubeProxyLog(read.value) });
  }
  if (logs.length === 0 && last?.seen === false) return last;
  return seen(logs, last?.source ?? pods.source);
}
