import type { KubeVersion } from "#src/kubernetes/version.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import type { Observed } from "#src/model/observed.ts";

/** The settings of one kube-proxy that matter here, from its file or its flags. null: not set. */
export interface ProxySettings {
  /** As written: kube-proxy compares it exactly. null: empty or not set. */
  rawMode: string | null;
  featureGates: Record<string, boolean>;
  invalidFeatureGates: string[];
  nodePortAddresses: string[] | null;
  ipvs: {
    scheduler: string | null;
    strictARP: boolean | null;
    excludeCIDRs: string[] | null;
    tcpTimeout: string | null;
    tcpFinTimeout: string | null;
    udpTimeout: string | null;
    syncPeriod: string | null;
    minSyncPeriod: string | null;
  };
  iptables: { localhostNodePorts: boolean | null; masqueradeAll: boolean | null };
  nftables: { masqueradeAll: boolean | null };
  tcpBeLiberal: boolean | null;
  metricsBindAddress: string | null;
}

/** Where a kube-proxy's settings come from. */
export type SettingsOrigin = "config-file" | "flags" | "node-args" | "cloud-api" | "configz";

/** One way in which kube-proxy is run in the cluster: a DaemonSet, alike static pods, or alike nodes. */
export interface ProxyInstance {
  /** `DaemonSet kube-system/kube-proxy`, `static Pod kube-system/kube-proxy-node-a`, `Node annotation ...`. */
  ref: string;
  kind: "DaemonSet" | "Pod" | "Node" | "CloudApi";
  namespace: string | null;
  name: string;
  /** The container that runs it; null where there is none. */
  container: string | null;
  os: "linux" | "windows";
  /** A DaemonSet that wants no pods: parked, or waiting for nodes. */
  idle: boolean;
  desired: number | null;
  nodes: string[];
  image: string | null;
  version: KubeVersion | null;
  origin: SettingsOrigin;
  settings: Observed<ProxySettings>;
  /** Why kube-proxy refuses to load its file; null where it loads. */
  loadError: string | null;
  /** Fields that strict decoding complains about and lenient decoding drops. */
  unknownFields: string[];
  configMap: { namespace: string; name: string; key: string } | null;
  /** Flags that `--config` makes kube-proxy ignore, as given. */
  ignored: string[];
  /** True where KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK is set. */
  skipsKernelCheck: boolean;
  nodeSelector: Record<string, string>;
  /** What said the mode, for people: `ConfigMap kube-system/kube-proxy data[config.conf].mode`, `ipvs`. */
  says: { ref: string; says: string };
  evidence: EvidenceItem;
}
