import type { ProxyMode } from "#src/model/cluster-audit.ts";
import { parseSamples, type Sample } from "./metrics-text.ts";
import { compareMinor, minorOf, parseKubeVersion } from "./version.ts";

/** What kube-proxy's own metrics tell. null: the series is absent, which is not zero. */
export interface ParsedProxyMetrics {
  mode: ProxyMode | null;
  /** `v1.36.3` of kubernetes_build_info. */
  version: string | null;
  /** Packets accepted on NodePorts of the loopback interface; exists in iptables mode only, from about 1.31 on. */
  localhostNodePortPackets: number | null;
  /** Packets dropped by the conntrack work-around that nftables mode does not install; iptables mode only. */
  ctStateInvalidDroppedPackets: number | null;
  /** Null before the first failure since 1.33: the counter has no series until then. */
  nftablesSyncFailures: number | null;
  nftablesCleanupFailures: number | null;
  iptablesRestoreFailures: number | null;
  /** Listeners and rejected packets of nftables mode's localhost NodePorts (1.37, KEP-6032). */
  localhostNodePortListeners: number | null;
  localhostNodePortRejectedPackets: number | null;
  /** The oldest last sync of the IP families, in seconds since 1970. */
  lastSyncSeconds: number | null;
  /** When a change was last queued, in seconds since 1970: far above `lastSyncSeconds` means that syncs fail. */
  lastQueuedSeconds: number | null;
}

const MODES: readonly string[] = ["ipvs", "iptables", "nftables", "kernelspace", "userspace"];

/** Reads GET /metrics of kube-proxy, or the bare word that GET /proxyMode on the same port answers. */
export function parseKubeProxyMetrics(text: string): ParsedProxyMetrics {
  const metrics = proxyMetricsOf(parseSamples(text));
  return { ...metrics, mode: wordOf(text) ?? metrics.mode };
}

/** The same from samples that came another way: from Prometheus, which has scraped them. */
export function proxyMetricsOf(samples: readonly Sample[]): ParsedProxyMetrics {
  const total = (name: string) => sum(valuesOf(samples, name));
  const build = samples.find(({ name }) => name === "kubernetes_build_info")?.labels;
  const version = build?.git_version ?? null;
  const synced = valuesOf(samples, "kubeproxy_sync_proxy_rules_last_timestamp_seconds").filter(
    (at) => at > 0,
  );
  const queued = valuesOf(samples, "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds");
  return {
    mode: fingerprint(samples, version, build?.platform ?? ""),
    version,
    localhostNodePortPackets: total("kubeproxy_iptables_localhost_nodeports_accepted_packets_total"),
    ctStateInvalidDroppedPackets: total("kubeproxy_iptables_ct_state_invalid_dropped_packets_total"),
    nftablesSyncFailures: total("kubeproxy_sync_proxy_rules_nftables_sync_failures_total"),
    nftablesCleanupFailures: total("kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total"),
    iptablesRestoreFailures: total("kubeproxy_sync_proxy_rules_iptables_restore_failures_total"),
    localhostNodePortListeners: total("kubeproxy_nftables_localhost_nodeport_listeners"),
    localhostNodePortRejectedPackets: total("kubeproxy_nftables_localhost_nodeport_rejected_packets_total"),
    lastSyncSeconds: synced.length === 0 ? null : Math.min(...synced),
    lastQueuedSeconds: queued.length === 0 ? null : Math.max(...queued),
  };
}

function wordOf(text: string): ProxyMode | null {
  const word = text.trim();
  return MODES.includes(word) ? (word as ProxyMode) : null;
}

/**
 * The mode by the metrics it registers (pkg/proxy/metrics/metrics.go, 1.28 to 1.36). Rule counts by table exist
 * only where iptables mode writes them. About 1.31 and before, the other counters exist in every mode and prove
 * nothing. From 1.33 on, failure counters have no series before the first failure, but iptables and nftables mode
 * both time full syncs and ipvs mode does not.
 */
function fingerprint(samples: readonly Sample[], version: string | null, platform: string): ProxyMode | null {
  const has = (pattern: RegExp) => samples.some(({ name }) => pattern.test(name));
  if (has(/^kubeproxy_sync_proxy_rules_iptables_total$/)) return "iptables";
  if (has(/^kubeproxy_iptables_localhost_nodeports_accepted/) && minorAtLeast(version, "1.31"))
    return "iptables";
  if (!minorAtLeast(version, "1.31")) return null;
  if (has(/^kubeproxy_(?:sync_proxy_rules_)?nftables_/)) return "nftables";
  const timesFullSyncs = has(/^kubeproxy_sync_full_proxy_rules_duration_seconds/);
  if (minorAtLeast(version, "1.33") && timesFullSyncs) return "nftables";
  if (timesFullSyncs) return null;
  if (has(/^kubeproxy_sync_proxy_rules_iptables_restore_failures_total$/)) return "ipvs";
  const hasSynced = has(/^kubeproxy_sync_proxy_rules_duration_seconds_count$/);
  return minorAtLeast(version, "1.33") && hasSynced && platform.startsWith("linux/") ? "ipvs" : null;
}

function minorAtLeast(version: string | null, minor: string): boolean {
  const parsed = version === null ? null : parseKubeVersion(version);
  return parsed !== null && compareMinor(minorOf(parsed), minor) >= 0;
}

function valuesOf(samples: readonly Sample[], name: string): number[] {
  return samples.filter((sample) => sample.name === name).map(({ value }) => value);
}

/** Series of both IP families together: 1.33 added the label `ip_family`. */
function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}
