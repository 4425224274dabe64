import type { VersionInfo } from "#src/kubernetes/cluster-reader.ts";
import type { ParsedProxyLog } from "#src/kubernetes/log.ts";
import type { Observed } from "#src/model/observed.ts";
import type { AksEvidence } from "./cloud/aks.ts";
import type { ConfigzEvidence } from "./cloud/configz.ts";
import type { EksEvidence } from "./eks/evidence.ts";
import type { ConfigMapFacts } from "./kubernetes/config-maps.ts";
import type { CustomKinds } from "./kubernetes/custom-kinds.ts";
import type { EventFacts } from "./kubernetes/events.ts";
import type { NodeFacts } from "./kubernetes/nodes.ts";
import type { AnsweredMode } from "./kubernetes/proxy-modes.ts";
import type { ProxyPod } from "./kubernetes/proxy-pods.ts";
import type { KeyMentions } from "./kubernetes/referenced-config-maps.ts";
import type { ServiceFacts } from "./kubernetes/services.ts";
import type { Workload } from "./kubernetes/workloads.ts";
import type { CgroupVersion, ProxyMetrics } from "./prometheus/metrics.ts";

/** Which cluster it is, and who it belongs to. */
export interface ClusterIdentity {
  /** `kubeconfig:prod-eu`, `eks:111122223333/eu-west-1/payments`, `manifests:NAME`. */
  id: string;
  name: string;
  account: string | null;
  region: string | null;
  team: string | null;
  environment: string | null;
}

/** The start of one kube-proxy's log, as parsed. */
export interface ProxyLog {
  namespace: string;
  pod: string;
  parsed: ParsedProxyLog;
}

/** Everything that was observed about one cluster, each part with how it was seen or why it was not. */
export interface Evidence {
  cluster: ClusterIdentity;
  version: Observed<VersionInfo>;
  nodes: Observed<NodeFacts[]>;
  daemonSets: Observed<Workload[]>;
  deployments: Observed<Workload[]>;
  statefulSets: Observed<Workload[]>;
  cronJobs: Observed<Workload[]>;
  jobs: Observed<Workload[]>;
  /** Static (mirror) and bare pods of the system namespaces, alike ones grouped. */
  systemPods: Observed<Workload[]>;
  /** A sample of the pods of each kube-proxy DaemonSet. */
  proxyPods: Observed<ProxyPod[]>;
  /** By `namespace/name`: those that kube-proxy, its replacements and its neighbours are configured by. */
  configMaps: ReadonlyMap<string, Observed<ConfigMapFacts>>;
  /** By `namespace/name`: what ConfigMaps of workloads in the granted namespaces name of kube-proxy's chains. */
  chainMentions: ReadonlyMap<string, Observed<KeyMentions[]>>;
  services: Observed<ServiceFacts>;
  endpointSlices: Observed<{ count: number }>;
  /** Events with reason IPVSDeprecation. They live about an hour: presence proves, absence proves nothing. */
  ipvsEvents: Observed<EventFacts[]>;
  /** Events with reason CgroupV1. */
  cgroupEvents: Observed<EventFacts[]>;
  customKinds: CustomKinds;
  proxyLogs: Observed<ProxyLog[]>;
  /** What kube-proxies answered about their mode, where pods/proxy was allowed. */
  proxyModes: Observed<AnsweredMode[]>;
  metrics: Observed<ProxyMetrics[]>;
  /** The kubelets' metric kubelet_cgroup_version (1.31 and newer). */
  cgroupVersions: Observed<CgroupVersion[]>;
  eks: EksEvidence;
  aks: Observed<AksEvidence>;
  configz: Observed<ConfigzEvidence>;
}
