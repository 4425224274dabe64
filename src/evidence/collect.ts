import type { EksAccess } from "#src/aws/eks-access.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import {
  type NotSeen,
  notSeen,
  type Observed,
  observedValue,
  partlySeen,
  type Source,
  seen,
} from "#src/model/observed.ts";
import { cloudEvidenceOf } from "./cloud/answers.ts";
import { configMapsOf, type KubeProxyWorkload, kubeProxyOf } from "./data-plane/kube-proxy-workloads.ts";
import type { EksEvidence } from "./eks/evidence.ts";
import { nodesOrNodegroups } from "./eks/nodegroup-nodes.ts";
import type { Evidence } from "./evidence.ts";
import { type ConfigMapFacts, readConfigMap } from "./kubernetes/config-maps.ts";
import { readCustomKinds } from "./kubernetes/custom-kinds.ts";
import { readEvents } from "./kubernetes/events.ts";
import { GRANTED_NAMESPACES } from "./kubernetes/granted-namespaces.ts";
import { type NodeFacts, readNodes } from "./kubernetes/nodes.ts";
import { readProxyModes } from "./kubernetes/proxy-modes.ts";
import { readProxyLogs, readProxyPods } from "./kubernetes/proxy-pods.ts";
import { readReferencedConfigMaps } from "./kubernetes/referenced-config-maps.ts";
import { countEndpointSlices, readServices } from "./kubernetes/services.ts";
import { readStaticPods } from "./kubernetes/static-pods.ts";
import { readWorkloads, type Workload } from "./kubernetes/workloads.ts";
import type { PrometheusOptions } from "./prometheus/query.ts";
import { type PrometheusEvidence, readPrometheus } from "./prometheus/read.ts";

export interface CollectOptions {
  /** The instant of the audit, RFC 3339. */
  at: string;
  /** How many kube-proxy logs to read; 0 reads none. */
  logs: number;
  /** A Prometheus that scrapes the cluster's kube-proxies; one that the cluster names itself goes before it. */
  prometheus?: Omit<PrometheusOptions, "at"> | undefined;
  /** Asks kube-proxies for their mode by `get pods/proxy`, which the shipped role does not grant. */
  podsProxy?: boolean | undefined;
}

/** Everything the checks need from one cluster. Nothing here throws for what a cluster can do. */
export async function collectEvidence(
  cluster: InventoryCluster,
  reader: ClusterReader,
  options: CollectOptions,
): Promise<Evidence> {
  const { at } = options;
  const cloud = cloudEvidenceOf(cluster.answers, at);
  const [version, nodes, eks] = await Promise.all([
    reader.version(),
    readNodes(reader),
    cluster.eks === undefined ? cloud.eks : askEks(cluster.eks),
  ]);
  const [daemonSets, deployments, statefulSets, cronJobs, jobs] = await Promise.all([
    readWorkloads(reader, RESOURCES.daemonSets),
    readWorkloads(reader, RESOURCES.deployments),
    readWorkloads(reader, RESOURCES.statefulSets),
    readWorkloads(reader, RESOURCES.cronJobs),
    readWorkloads(reader, RESOURCES.jobs),
  ]);
  const systemPods = await readSystemPods(reader, nodes, daemonSets);
  const proxies = kubeProxies([daemonSets, systemPods], new Map());
  const configMaps = await readConfigMaps(reader, proxies, daemonSets);
  const chainMentions = await readReferencedConfigMaps(
    reader,
    [daemonSets, deployments, statefulSets, cronJobs, jobs, systemPods].flatMap(
      (list) => observedValue(list) ?? [],
    ),
    configMaps,
  );
  const [services, endpointSlices, ipvsEvents, cgroupEvents, customKinds] = await Promise.all([
    readServices(reader),
    countEndpointSlices(reader),
    readEvents(reader, "IPVSDeprecation"),
    readEvents(reader, "CgroupV1"),
    readCustomKinds(reader),
  ]);
  const found = kubeProxies([daemonSets, systemPods], configMaps);
  const ofDaemonSets = found.filter(({ workload }) => workload.kind === "DaemonSet" && !workload.windows);
  const proxyPods = await readProxyPods(
    reader,
    ofDaemonSets.map(({ workload, container }) => ({ workload, container: container.name })),
  );
  const logPods = podsWithLogs(proxyPods, found);
  const proxyLogs =
    options.logs === 0
      ? notSeen("not-requested", "logs were not asked for", { kind: "kubernetes", ref: "pods/log", at })
      : await readProxyLogs(reader, logPods, options.logs);
  const proxyModes =
    options.podsProxy === true
      ? await readProxyModes(reader, logPods, options.logs)
      : notSeen("not-requested", "pods/proxy was not allowed", { kind: "kubernetes", ref: "pods/proxy", at });
  const prometheus = cluster.prometheus ?? options.prometheus;
  const metrics =
    prometheus === undefined ? metricsNotRequested(at) : await readPrometheus({ ...prometheus, at });
  return {
    cluster: identityOf(cluster),
    version,
    nodes: nodesOrNodegroups(nodes, eks.nodegroups),
    daemonSets,
    deployments,
    statefulSets,
    cronJobs,
    jobs,
    systemPods,
    proxyPods,
    configMaps,
    chainMentions,
    services,
    endpointSlices,
    ipvsEvents,
    cgroupEvents,
    customKinds,
    proxyLogs,
    proxyModes,
    ...metrics,
    ...cloud,
    eks,
  };
}

function metricsNotRequested(at: string): PrometheusEvidence {
  const source: Source = { kind: "prometheus", ref: "metrics", at };
  const unread = notSeen("not-requested", "no metrics were asked for (--prometheus URL)", source);
  return { metrics: unread, cgroupVersions: unread };
}

/** The AWS SDK is loaded for clusters that were found through AWS, and no others: it takes 25 MB. */
async function askEks(access: EksAccess): Promise<EksEvidence> {
  const { collectEks } = await import("./eks/collect.ts");
  return collectEks(access);
}

function identityOf({ id, name, account, region, team, environment }: InventoryCluster): Evidence["cluster"] {
  return { id, name, account, region, team, environment };
}

/** Static and bare pods of kube-system, and of any other namespace where a kube-proxy DaemonSet lives. */
async function readSystemPods(
  reader: ClusterReader,
  nodes: Observed<NodeFacts[]>,
  daemonSets: Observed<Workload[]>,
): Promise<Observed<Workload[]>> {
  const names = {
    nodes: new Set((observedValue(nodes) ?? []).map((node) => node.name)),
    daemonSets: new Set((observedValue(daemonSets) ?? []).map((workload) => workload.name)),
    allDaemonSets: daemonSets.seen === true,
  };
  const elsewhere = (observedValue(daemonSets) ?? []).filter(
    (workload) => workload.namespace === "openshift-kube-proxy",
  );
  const namespaces = ["kube-system", ...new Set(elsewhere.map((workload) => workload.namespace))];
  const reads = await Promise.all(namespaces.map((namespace) => readStaticPods(reader, namespace, names)));
  const [first] = reads;
  if (first === undefined || reads.length === 1) return first ?? noPods();
  const pods = reads.flatMap((read) => observedValue(read) ?? []);
  const failed = reads.find((read) => read.seen !== true);
  return failed ? partlySeen(pods, failed.why, failed.detail, failed.source) : seen(pods, first.source);
}

function noPods(): NotSeen {
  return notSeen("not-requested", "no namespace", { kind: "kubernetes", ref: "pods", at: "" });
}

function kubeProxies(
  lists: readonly Observed<Workload[]>[],
  configMaps: ReadonlyMap<string, Observed<ConfigMapFacts>>,
): KubeProxyWorkload[] {
  return lists.flatMap((list) =>
    (observedValue(list) ?? []).flatMap((workload) => kubeProxyOf(workload, configMaps) ?? []),
  );
}

/** ConfigMaps that are read by name wherever they are: leftovers and replacements have no workload to find. */
const ALWAYS = [
  "kube-system/kube-proxy",
  "kube-system/kube-proxy-config",
  "kube-system/cilium-config",
  "kube-system/kubeadm-config",
];

/** Names of DaemonSets whose ConfigMaps checks read, in the namespaces that the role grants. */
const NEIGHBOURS =
  /^(antrea-agent|kube-flannel|kube-flannel-ds(?:-\w+)?|canal|rke2-canal|node-local-dns|nodelocaldns|aws-node|cilium|calico-node)$/;
const CONFIG_MAPS_AT_MOST = 60;

async function readConfigMaps(
  reader: ClusterReader,
  proxies: readonly KubeProxyWorkload[],
  daemonSets: Observed<Workload[]>,
): Promise<Map<string, Observed<ConfigMapFacts>>> {
  const wanted = new Set<string>();
  for (const { workload } of proxies) {
    for (const name of configMapsOf(workload)) wanted.add(`${workload.namespace}/${name}`);
  }
  for (const name of ALWAYS) wanted.add(name);
  for (const workload of observedValue(daemonSets) ?? []) {
    if (workload.name === "cilium") wanted.add(`${workload.namespace}/cilium-config`);
    if (!NEIGHBOURS.test(workload.name) || !GRANTED_NAMESPACES.has(workload.namespace)) continue;
    for (const name of configMapsOf(workload)) wanted.add(`${workload.namespace}/${name}`);
  }
  const configMaps = new Map<string, Observed<ConfigMapFacts>>();
  const names = [...wanted].slice(0, CONFIG_MAPS_AT_MOST);
  const reads = await Promise.all(
    names.map((key) => {
      const [namespace = "", name = ""] = key.split("/");
      return readConfigMap(reader, namespace, name);
    }),
  );
  for (const [index, key] of names.entries()) {
    const read = reads[index];
    if (read) configMaps.set(key, read);
  }
  return configMaps;
}

type LogPod = { namespace: string; name: string; container: string; startedAt: string | null };

/** Pods whose log can tell the running mode: DaemonSets' sampled pods, else static pods. */
function podsWithLogs(
  proxyPods: Evidence["proxyPods"],
  found: readonly KubeProxyWorkload[],
): Observed<LogPod[]> {
  const statics = found
    .filter(({ workload }) => workload.kind === "Pod" && !workload.windows)
    .map(({ workload, container }) => ({
      namespace: workload.namespace,
      name: workload.name,
      container: container.name,
      startedAt: workload.startedAt,
    }));
  if (statics.length === 0) return proxyPods;
  const source: Source = proxyPods.source;
  return seen([...(observedValue(proxyPods) ?? []), ...statics], source);
}
