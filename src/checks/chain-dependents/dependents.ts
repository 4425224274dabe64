import { refOf } from "#src/evidence/data-plane/instances.ts";
import { kubeProxyOf } from "#src/evidence/data-plane/kube-proxy-workloads.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import { type ChainMention, chainMentionsIn } from "#src/evidence/kubernetes/chain-mentions.ts";
import { configMapsOf } from "#src/evidence/kubernetes/referenced-config-maps.ts";
import type { Container, Workload } from "#src/evidence/kubernetes/workloads.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { type NotSeen, type Observed, observedValue, type PartlySeen } from "#src/model/observed.ts";

/** A place that names kube-proxy's inner workings: a container, or a ConfigMap that workloads are configured by. */
export interface Dependent {
  where: string;
  mentions: ChainMention[];
  evidence: EvidenceItem;
}

export interface Dependents {
  found: Dependent[];
  /** What was not searched; empty when all was. */
  unread: (NotSeen | PartlySeen<unknown>)[];
}

/** Names of `otherIpvsUsers` are the refs of software that runs IPVS by itself: its own tools are no finding. */
export function dependentsOf(evidence: Evidence, ownIpvs: ReadonlySet<string>): Dependents {
  const lists = [
    evidence.daemonSets,
    evidence.deployments,
    evidence.statefulSets,
    evidence.cronJobs,
    evidence.jobs,
    evidence.systemPods,
  ];
  const found: Dependent[] = [];
  const users = new Map<string, Workload[]>();
  for (const list of lists) {
    for (const workload of observedValue(list) ?? []) {
      if (kubeProxyOf(workload, evidence.configMaps) !== null) continue;
      found.push(...inContainers(workload, list.source, ownIpvs.has(refOf(workload))));
      for (const name of configMapsOf(workload)) users.set(name, [...(users.get(name) ?? []), workload]);
    }
  }
  const unread: Dependents["unread"] = lists.filter((list) => list.seen !== true);
  for (const [name, workloads] of users) {
    const read = evidence.chainMentions.get(name);
    if (read === undefined) continue;
    if (read.seen === false) {
      if (read.why !== "absent") unread.push(read);
      continue;
    }
    found.push(...inConfigMap(name, read, workloads));
  }
  return { found, unread };
}

function inContainers(workload: Workload, source: EvidenceItem["source"], ownIpvs: boolean): Dependent[] {
  const ref = refOf(workload);
  return [...workload.initContainers, ...workload.containers].flatMap((container) => {
    const mentions = textsOf(container)
      .flatMap(chainMentionsIn)
      .filter(({ kind }) => (kind === "nat-hook" ? reachesHost(workload, container) : true))
      .filter(({ kind }) => !(kind === "ipvs" && ownIpvs));
    const distinct = [...new Map(mentions.map((mention) => [mention.text, mention])).values()];
    if (distinct.length === 0) return [];
    const where = `${ref} container ${container.name}`;
    return [
      {
        where,
        mentions: distinct,
        evidence: { source, path: where, excerpt: distinct.map(({ text }) => text).join(", ") },
      },
    ];
  });
}

/** Command line as one text (`["iptables", "-t", "nat"]` is one command), each literal variable as another. */
function textsOf(container: Container): string[] {
  const variables = Object.entries(container.env).flatMap(([name, value]) =>
    value.from === "value" ? [`${name}=${value.value}`] : [],
  );
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  // A flag with its value says by its name whether it passes an interface over, so flags are looked at one by one.
  const flags = words.filter((word) => /^-\S+=/.test(word));
  const command = words.filter((word) => !/^-\S+=/.test(word)).join(" ");
  return [command, ...flags, ...variables];
}

/** Rules in a pod's own network namespace (a VPN's, a mesh's) are not the host's. */
function reachesHost(workload: Workload, container: Container): boolean {
  return workload.hostNetwork || textsOf(container).some((text) => /\b(?:nsenter|chroot)\b/.test(text));
}

function inConfigMap(
  name: string,
  read: Exclude<Observed<{ key: string; mentions: ChainMention[] }[]>, NotSeen>,
  workloads: readonly Workload[],
): Dependent[] {
  const onHost = workloads.some(({ hostNetwork }) => hostNetwork);
  const [first] = workloads;
  return read.value.flatMap(({ key, mentions }) => {
    const counted = mentions.filter(({ kind }) => kind !== "nat-hook" || onHost);
    if (counted.length === 0) return [];
    const path = `ConfigMap ${name} data[${key}]`;
    return [
      {
        where: first === undefined ? path : `${path} of ${refOf(first)}`,
        mentions: counted,
        evidence: { source: read.source, path, excerpt: counted.map(({ text }) => text).join(", ") },
      },
    ];
  });
}
