import type { ClusterReader, Fold } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import { type NotSeen, notSeen, type Observed, partlySeen } from "#src/model/observed.ts";
import { type Workload, workloadOfPod } from "./workloads.ts";

/** How many different static pods of a namespace are looked into; a node has a dozen at the most. */
const GROUPS_AT_MOST = 40;

/**
 * Static (mirror) and bare pods of one namespace, alike ones grouped into one workload that lists its nodes.
 * Pods that a controller made are left out: their template tells more. Where DaemonSets were not read, the pods of
 * one that runs kube-proxy stand in; `desired` is then null, since its template may differ. A namespace can have tens of thousands
 * of pods, so they are read as a Table of names; one pod of each group is then read whole, and every pod of a
 * group that runs kube-proxy, since static pods can differ from node to node.
 */
export async function readStaticPods(
  reader: ClusterReader,
  namespace: string,
  known: KnownNames,
): Promise<Observed<Workload[]>> {
  const read = await reader.list({ resource: RESOURCES.pods, namespace, as: "table" }, podNames(known));
  if (read.seen === false) return read;
  const { groups, whole, malformed } = read.value.value;
  const pods = new GroupedPods();
  for (const pod of whole) pods.add(pod);

  let failure: NotSeen | null = null;
  for (const members of [...groups.values()].slice(0, GROUPS_AT_MOST)) {
    failure = (await readGroup(reader, namespace, members, known, pods)) ?? failure;
  }
  if (groups.size > GROUPS_AT_MOST) {
    const detail = `${groups.size - GROUPS_AT_MOST} kinds of static pods were not read`;
    failure = notSeen("not-requested", detail, read.source);
  }
  const list = pods.list();
  if (failure) return partlySeen(list, failure.why, failure.detail, failure.source);
  if (malformed > 0 && read.seen === true) {
    return partlySeen(list, "invalid", `${malformed} objects are not of a Pod's shape`, read.source);
  }
  return { ...read, value: list };
}

interface PodNames {
  /** Manifest name to the names of its mirror pods. */
  groups: Map<string, string[]>;
  /** Pods that came as objects: a source without Tables. */
  whole: Workload[];
  malformed: number;
}

/** Names by which a pod's name tells what made it. */
export interface KnownNames {
  nodes: ReadonlySet<string>;
  daemonSets: ReadonlySet<string>;
  /** False where DaemonSets were not read whole: there can be others. */
  allDaemonSets: boolean;
}

/** Mirror pods are named `<manifest>-<node>`; a bare kube-proxy pod need not be. */
function podNames(known: KnownNames): Fold<PodNames> {
  const { nodes, daemonSets, allDaemonSets } = known;
  return {
    start: () => ({ groups: new Map(), whole: [], malformed: 0 }),
    add(into, page) {
      if (page.kind === "objects") {
        for (const item of page.items) {
          const pod = workloadOfPod(item);
          if (pod === null) into.malformed += 1;
          else into.whole.push(...withoutTemplate(pod, item, known));
        }
        return;
      }
      const at = page.columns.indexOf("Name");
      for (const row of page.rows) {
        const name = String(row[at] ?? "");
        const bare = /kube-?proxy/.test(name) && !isDaemonSetPod(name, daemonSets) ? name : null;
        const alike = allDaemonSets ? bare : (bare?.replace(/-[a-z0-9]{5}$/, "") ?? null);
        const manifest = manifestOf(name, nodes) ?? alike;
        if (manifest === null) continue;
        const members = into.groups.get(manifest);
        if (members) members.push(name);
        else into.groups.set(manifest, [name]);
      }
    },
  };
}

/** A DaemonSet's pods carry its name and five random letters and digits. */
function isDaemonSetPod(pod: string, daemonSets: ReadonlySet<string>): boolean {
  return /-[a-z0-9]{5}$/.test(pod) && daemonSets.has(pod.slice(0, -"-12345".length));
}

/** The static pod's manifest name: what is left when the pod's name ends in a node's name. */
function manifestOf(pod: string, nodeNames: ReadonlySet<string>): string | null {
  for (let dash = pod.indexOf("-"); dash > 0; dash = pod.indexOf("-", dash + 1)) {
    if (nodeNames.has(pod.slice(dash + 1))) return pod.slice(0, dash);
  }
  return null;
}

const CONTROLLERS = new Set(["DaemonSet", "ReplicaSet", "StatefulSet", "Job", "ReplicationController"]);

/** The pod, where no template that was read tells more; none otherwise. */
function withoutTemplate(pod: Workload, item: unknown, known: KnownNames): Workload[] {
  const { metadata } = item as { metadata?: { ownerReferences?: { kind?: string; name?: string }[] } };
  const owner = metadata?.ownerReferences?.find(({ kind }) => CONTROLLERS.has(kind ?? ""));
  if (owner === undefined) return [pod];
  const unreadTemplate =
    !known.allDaemonSets && owner.kind === "DaemonSet" && !known.daemonSets.has(owner.name ?? "");
  return unreadTemplate && mentionsKubeProxy(pod) ? [{ ...pod, desired: null }] : [];
}

async function readGroup(
  reader: ClusterReader,
  namespace: string,
  members: string[],
  known: KnownNames,
  pods: GroupedPods,
): Promise<NotSeen | null> {
  const [first] = members;
  if (first === undefined) return null;
  const sample = await reader.get(RESOURCES.pods, { namespace, name: first });
  // Gone since the listing, with its node: the next one tells.
  if (sample.seen === false && sample.why === "absent") {
    return readGroup(reader, namespace, members.slice(1), known, pods);
  }
  if (sample.seen === false) return sample;
  const whole = workloadOfPod(sample.value);
  if (whole === null) return { ...sample, seen: false, why: "invalid", detail: `pod ${first} is not a Pod` };
  const [pod] = withoutTemplate(whole, sample.value, known);
  if (pod === undefined) return null;
  if (members.length === 1 || !mentionsKubeProxy(pod)) {
    pods.add({ ...pod, nodes: members.map((name) => nodeOf(name, pod, first)) });
    return null;
  }
  return readAlike(reader, namespace, members, pod, pods);
}

/** Every pod of a kube-proxy group, page by page, found by the labels that static pods share. */
async function readAlike(
  reader: ClusterReader,
  namespace: string,
  members: string[],
  sample: Workload,
  pods: GroupedPods,
): Promise<NotSeen | null> {
  const label = ["k8s-app", "component", "app"].find((key) => sample.labels[key] !== undefined);
  const wanted = new Set(members);
  if (label !== undefined) {
    const read = await reader.list(
      {
        resource: RESOURCES.pods,
        namespace,
        labelSelector: `${label}=${sample.labels[label]}`,
        pageSize: 200,
      },
      {
        start: () => new GroupedPods(),
        add(into, page) {
          if (page.kind !== "objects") return;
          for (const item of page.items) {
            const pod = workloadOfPod(item);
            if (pod && wanted.delete(pod.name)) into.add({ ...pod, desired: sample.desired });
          }
        },
      },
    );
    if (read.seen === false) return read;
    for (const group of read.value.value.list()) pods.add(group);
    if (read.seen === "partial") return { ...read, seen: false };
  }
  for (const name of [...wanted].slice(0, GROUPS_AT_MOST)) {
    const read = await reader.get(RESOURCES.pods, { namespace, name });
    if (read.seen === false && read.why !== "absent") return read;
    const pod = read.seen === false ? null : workloadOfPod(read.value);
    if (pod) pods.add({ ...pod, desired: sample.desired });
  }
  if (wanted.size <= GROUPS_AT_MOST) return null;
  const detail = `${wanted.size - GROUPS_AT_MOST} static pods carry no common label and were not read`;
  return {
    seen: false,
    why: "not-requested",
    detail,
    source: { kind: "kubernetes", ref: namespace, at: "" },
  };
}

function mentionsKubeProxy(pod: Workload): boolean {
  return pod.containers.some((container) =>
    [container.name, container.image, ...(container.command ?? []), ...(container.args ?? [])].some((text) =>
      /kube-?proxy|hyperkube/.test(text),
    ),
  );
}

function nodeOf(name: string, sample: Workload, sampleName: string): string {
  const [node] = sample.nodes;
  if (name === sampleName) return node ?? name;
  const prefix = node !== undefined && sampleName.endsWith(node) ? sampleName.slice(0, -node.length) : "";
  return prefix !== "" && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Pods that differ in nothing but their node, as one workload: bounded memory for a fleet of static pods. */
class GroupedPods {
  readonly #groups = new Map<string, Workload>();

  add(pod: Workload): void {
    const [node] = pod.nodes;
    const shape = JSON.stringify([pod.namespace, pod.containers, pod.configMapVolumes, pod.windows]);
    const key = node === undefined ? shape : shape.replaceAll(node, "<node>");
    const group = this.#groups.get(key);
    if (!group) {
      this.#groups.set(key, { ...pod, nodes: [...pod.nodes] });
      return;
    }
    group.nodes.push(...pod.nodes);
    if (group.desired !== null) group.desired += 1;
    if (pod.startedAt !== null && (group.startedAt === null || pod.startedAt < group.startedAt)) {
      group.startedAt = pod.startedAt;
    }
  }

  list(): Workload[] {
    return [...this.#groups.values()];
  }
}
