import type { ParsedProxyMetrics } from "#src/kubernetes/metrics.ts";

/** What one kube-proxy's metrics said, and whose they are. */
export interface ProxyMetrics {
  instance: string;
  parsed: ParsedProxyMetrics;
}
