import type { ParsedProxyMetrics } from "#src/kubernetes/metrics.ts";

/** What one kube-proxy's metrics said, and whose they are. */
export interface ProxyMetrics {
  instance: string;
  parsed: ParsedProxyMetrics;
}

/** What one kubelet's metric `kubelet_cgroup_version` says: 1 or 2. */
export interface CgroupVersion {
  /** The node's name where the scrape names it, otherwise the address. */
  node: string;
  version: number;
}
