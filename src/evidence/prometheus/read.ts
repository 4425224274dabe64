import { proxyMetricsOf } from "#src/kubernetes/metrics.ts";
import type { Sample } from "#src/kubernetes/metrics-text.ts";
import { mapObserved, notSeen, type Observed } from "#src/model/observed.ts";
import type { CgroupVersion, ProxyMetrics } from "./metrics.ts";
import { createPrometheus, type PrometheusOptions } from "./query.ts";

export interface PrometheusEvidence {
  metrics: Observed<ProxyMetrics[]>;
  cgroupVersions: Observed<CgroupVersion[]>;
}

/** The series that the checks judge, and those by which a mode is told; histograms by their count alone. */
const PROXY_SERIES = [
  "kubernetes_build_info",
  "kubeproxy_sync_proxy_rules_(last_timestamp_seconds|last_queued_timestamp_seconds|duration_seconds_count)",
  "kubeproxy_sync_full_proxy_rules_duration_seconds_count",
  "kubeproxy_sync_proxy_rules_(iptables_total|iptables_restore_failures_total)",
  "kubeproxy_sync_proxy_rules_nftables_(sync|cleanup)_failures_total",
  "kubeproxy_iptables_(localhost_nodeports_accepted|ct_state_invalid_dropped)_packets_total",
  "kubeproxy_nftables_localhost_nodeport_(listeners|rejected_packets_total)",
].join("|");

/** Labels by which a Prometheus of several clusters tells them apart. */
const CLUSTER_LABELS = ["cluster", "cluster_name", "k8s_cluster", "k8s_cluster_name", "kubernetes_cluster"];

/**
 * kube-proxy's metrics and the kubelets' cgroup version from a Prometheus that scrapes them, whatever the jobs are
 * called. A Prometheus that holds several clusters is refused unless `labels` picks one: another cluster's counters
 * would be evidence about this one.
 */
export async function readPrometheus(options: PrometheusOptions): Promise<PrometheusEvidence> {
  const prometheus = createPrometheus(options);
  const matchers = Object.entries(options.labels ?? {}).map(
    ([name, value]) => `,${name}=${JSON.stringify(value)}`,
  );
  const selector = (series: string) => `{__name__=~${JSON.stringify(series)}${matchers.join("")}}`;
  try {
    const [proxies, kubelets] = await Promise.all([
      prometheus.query(selector(PROXY_SERIES)),
      prometheus.query(selector("kubelet_cgroup_version")),
    ]);
    return {
      metrics: ofOneCluster(mapObserved(proxies, ofKubeProxy), byInstance, "kube-proxy's metrics"),
      cgroupVersions: ofOneCluster(kubelets, cgroupVersionsOf, "the metric kubelet_cgroup_version"),
    };
  } finally {
    prometheus.close();
  }
}

function ofOneCluster<T>(
  read: Observed<Sample[]>,
  project: (samples: readonly Sample[]) => T,
  what: string,
): Observed<T> {
  if (read.seen === false) return read;
  if (read.value.length === 0) {
    return notSeen("absent", `Prometheus holds no series of ${what}: it does not scrape them`, read.source);
  }
  for (const label of CLUSTER_LABELS) {
    const values = new Set(read.value.map(({ labels }) => labels[label] ?? ""));
    if (values.size <= 1) continue;
    const named = [...values].map((value) => value || "(none)").slice(0, 5);
    const detail = `Prometheus holds several clusters (${label}: ${named.join(", ")}): name one by its label`;
    return notSeen("invalid", detail, read.source);
  }
  return mapObserved(read, project);
}

function targetOf({ labels }: Sample): string {
  return JSON.stringify([labels.instance ?? "", labels.job ?? ""]);
}

/** Every component exports kubernetes_build_info: only that of targets with kube-proxy's own series counts. */
function ofKubeProxy(samples: Sample[]): Sample[] {
  const targets = new Set(samples.filter(({ name }) => name.startsWith("kubeproxy_")).map(targetOf));
  return samples.filter((sample) => targets.has(targetOf(sample)));
}

/** One entry for each instance; of two jobs that scrape the same one, the job that keeps more of its series. */
function byInstance(samples: readonly Sample[]): ProxyMetrics[] {
  const fullest = new Map<string, Sample[]>();
  for (const target of Map.groupBy(samples, targetOf).values()) {
    const instance = target[0]?.labels.instance ?? "";
    if (target.length > (fullest.get(instance)?.length ?? 0)) fullest.set(instance, target);
  }
  return [...fullest]
    .map(([instance, target]) => ({ instance, parsed: proxyMetricsOf(target) }))
    .toSorted((a, b) => (a.instance < b.instance ? -1 : 1));
}

function cgroupVersionsOf(samples: readonly Sample[]): CgroupVersion[] {
  const versions = new Map(
    samples.map(({ labels, value }) => {
      const node = labels.node ?? labels.instance ?? "";
      return [node, { node, version: value }] as const;
    }),
  );
  return [...versions.values()].toSorted((a, b) => (a.node < b.node ? -1 : 1));
}
