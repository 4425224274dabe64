import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { mapObserved, notSeen, type Observed } from "#src/model/observed.ts";
import { type ChainMention, chainMentionsIn } from "./chain-mentions.ts";
import { type ConfigMapFacts, readConfigMap } from "./config-maps.ts";
import { GRANTED_NAMESPACES } from "./granted-namespaces.ts";
import type { Workload } from "./workloads.ts";

/** What one key of a ConfigMap names of kube-proxy's chains; keys that name nothing are left out. */
export interface KeyMentions {
  key: string;
  mentions: ChainMention[];
}

const AT_MOST = 100;
const AT_ONCE = 8;

/**
 * The ConfigMaps that workloads of the granted namespaces are configured by, by `namespace/name`, reduced to what
 * they name of kube-proxy's chains: their data is not kept. `read` holds those that were read for other reasons.
 */
export async function readReferencedConfigMaps(
  reader: ClusterReader,
  workloads: readonly Workload[],
  read: ReadonlyMap<string, Observed<ConfigMapFacts>>,
): Promise<Map<string, Observed<KeyMentions[]>>> {
  const names = [...new Set(workloads.flatMap(configMapsOf))];
  const mentions = new Map<string, Observed<KeyMentions[]>>();
  const unread: string[] = [];
  for (const name of names) {
    const known = read.get(name);
    if (known) mentions.set(name, mapObserved(known, keyMentionsOf));
    else unread.push(name);
  }
  for (let at = 0; at < Math.min(unread.length, AT_MOST); at += AT_ONCE) {
    const some = unread.slice(at, Math.min(at + AT_ONCE, AT_MOST));
    const answers = await Promise.all(some.map((name) => readMentions(reader, name)));
    for (const [index, name] of some.entries()) {
      const answer = answers[index];
      if (answer) mentions.set(name, answer);
    }
  }
  for (const name of unread.slice(AT_MOST)) {
    const source = { kind: "kubernetes", ref: `ConfigMap ${name}`, at: "" } as const;
    mentions.set(name, notSeen("not-requested", `more than ${AT_MOST} ConfigMaps are referred to`, source));
  }
  return mentions;
}

/** `namespace/name` of a workload's ConfigMaps: volumes, envFrom and single variables, init containers included. */
export function configMapsOf(workload: Workload): string[] {
  const { namespace } = workload;
  if (!GRANTED_NAMESPACES.has(namespace)) return [];
  const containers = [...workload.containers, ...workload.initContainers];
  const names = [
    ...workload.configMapVolumes.map(({ configMap }) => configMap),
    ...containers.flatMap(({ envFrom }) =>
      envFrom.flatMap((one) => (one.from === "configMap" ? [one.name] : [])),
    ),
    ...containers.flatMap(({ env }) =>
      Object.values(env).flatMap((value) => (value.from === "configMap" ? [value.name] : [])),
    ),
  ];
  // Every pod may mount the cluster's CA bundle: certificates, nothing else.
  return names
    .filter((name) => name !== "" && name !== "kube-root-ca.crt")
    .map((name) => `${namespace}/${name}`);
}

async function readMentions(reader: ClusterReader, name: string): Promise<Observed<KeyMentions[]>> {
  const [namespace = "", configMap = ""] = name.split("/");
  return mapObserved(await readConfigMap(reader, namespace, configMap), keyMentionsOf);
}

function keyMentionsOf({ data }: ConfigMapFacts): KeyMentions[] {
  return Object.entries(data)
    .map(([key, text]) => ({ key, mentions: chainMentionsIn(text) }))
    .filter(({ mentions }) => mentions.length > 0);
}
