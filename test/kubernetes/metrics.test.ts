import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseKubeProxyMetrics } from "#src/kubernetes/metrics.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FIXTURES), "utf8");

interface Row {
  file: string;
  proxyMode: string;
  localhostNodePortPackets: number | null;
  k8sVersion: string;
}
const { items } = JSON.parse(read("cases/metrics.json")) as { items: Row[] };

describe("parseKubeProxyMetrics", () => {
  it.each(items)("$file: $proxyMode, localhost packets $localhostNodePortPackets", (row) => {
    const { mode, localhostNodePortPackets, version } = parseKubeProxyMetrics(read(`cases/${row.file}`));
    expect({ mode, localhostNodePortPackets, version }).toEqual({
      mode: row.proxyMode,
      localhostNodePortPackets: row.localhostNodePortPackets,
      version: row.k8sVersion === "any" ? null : row.k8sVersion,
    });
  });

  it("reads a whole page of kube-proxy 1.36.3 in iptables mode", () => {
    expect(parseKubeProxyMetrics(read("recordings/kube-proxy-1.36/unset.metrics.txt"))).toEqual({
      mode: "iptables",
      version: "v1.36.3",
      localhostNodePortPackets: 0,
      ctStateInvalidDroppedPackets: 0,
      nftablesSyncFailures: null,
      nftablesCleanupFailures: null,
      iptablesRestoreFailures: null,
      localhostNodePortListeners: null,
      localhostNodePortRejectedPackets: null,
      lastSyncSeconds: 1796056458.2922318,
      lastQueuedSeconds: 1796056458.018763,
    });
  });

  it.each([
    ["iptables", "iptables"],
    ["nftables", "nftables"],
    ["duplicate", "nftables"],
  ])("knows the recorded %s page as %s, without any failure counter", (name, mode) => {
    expect(parseKubeProxyMetrics(read(`recordings/kube-proxy-1.36/${name}.metrics.txt`)).mode).toBe(mode);
  });

  it("adds the IP families", () => {
    const text = [
      'kubeproxy_iptables_localhost_nodeports_accepted_packets_total{ip_family="IPv4"} 3',
      'kubeproxy_iptables_localhost_nodeports_accepted_packets_total{ip_family="IPv6"} 4 1796056458000',
      'kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family="IPv6"} 2',
    ].join("\n");
    expect(parseKubeProxyMetrics(text)).toMatchObject({
      localhostNodePortPackets: 7,
      nftablesSyncFailures: 2,
    });
  });

  const build = (version: string, platform = "linux/amd64") =>
    `kubernetes_build_info{git_version="${version}",platform="${platform}"} 1\n`;
  const synced = 'kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family="IPv4"} 5\n';

  it.each([
    ["ipvs since 1.33, before any failure", build("v1.35.1") + synced, "ipvs"],
    ["Windows, which has none of these", build("v1.35.1", "windows/amd64") + synced, null],
    [
      "an old version that registers everything",
      `${build("v1.28.4")}kubeproxy_sync_proxy_rules_iptables_restore_failures_total 0\n`,
      null,
    ],
    ["no version", synced, null],
    ["an empty page", "", null],
    ["another word", "hello", null],
  ])("%s", (_, text, mode) => {
    expect(parseKubeProxyMetrics(text).mode).toBe(mode);
  });
});
