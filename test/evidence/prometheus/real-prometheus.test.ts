import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPrometheus } from "#src/evidence/prometheus/read.ts";
import { parseKubeProxyMetrics } from "#src/kubernetes/metrics.ts";
import { observedValue } from "#src/model/observed.ts";
import { type Served, serve } from "./serve.ts";
import { hasPrometheus, type RunningPrometheus, startPrometheus } from "./start-prometheus.ts";

const AT = "2026-11-30T09:00:00Z";
const TEXTS = {
  iptables: metricsOf("01-iptables-localhost-zero"),
  localhost: metricsOf("02-iptables-localhost-nonzero"),
  ipvs: metricsOf("06-ipvs"),
  nftables: metricsOf("07-nftables"),
  apiserver:
    'kubernetes_build_info{git_version="v1.34.1",major="1",minor="34",platform="linux/amd64"} 1\nup_since 1\n',
  kubelet: "kubelet_cgroup_version 1\nkubelet_running_pods 12\n",
};

function metricsOf(name: string): string {
  return readFileSync(`test/fixtures/cases/metrics/${name}.txt`, "utf8");
}

// Debian: apt-get install prometheus. The recorded answers in prometheus.test.ts cover the rest.
describe.skipIf(!hasPrometheus)("a real Prometheus (skipped where `prometheus` is not installed)", () => {
  let exporter: Served;
  let prometheus: RunningPrometheus;

  beforeAll(async () => {
    exporter = await serve((request, response) => {
      const name = (request.url ?? "").split("/")[1] as keyof typeof TEXTS;
      response.setHeader("Content-Type", "text/plain; version=0.0.4").end(TEXTS[name]);
    });
    const job = (name: keyof typeof TEXTS, labels: Record<string, string>) => ({
      job_name: `${name}-${labels.cluster}`,
      metrics_path: `/${name}/metrics`,
      static_configs: [{ targets: [exporter.url.host], labels: { instance: `${name}:10249`, ...labels } }],
    });
    prometheus = await startPrometheus(
      [
        job("iptables", { cluster: "prod" }),
        job("localhost", { cluster: "prod" }),
        job("nftables", { cluster: "prod" }),
        job("apiserver", { cluster: "prod" }),
        job("kubelet", { cluster: "prod", node: "worker-1" }),
        job("ipvs", { cluster: "staging" }),
      ],
      { query: "up == 1", count: 6 },
    );
  });
  afterAll(async () => {
    await prometheus?.close();
    await exporter?.close();
  });

  it("gives the same facts as each kube-proxy's own metrics page, and none of other components", async () => {
    const { metrics } = await readPrometheus({
      url: prometheus.url,
      at: AT,
      labels: { cluster: "prod" },
    });
    expect(metrics.seen).toBe(true);
    expect(observedValue(metrics)).toEqual([
      { instance: "iptables:10249", parsed: parseKubeProxyMetrics(TEXTS.iptables) },
      { instance: "localhost:10249", parsed: parseKubeProxyMetrics(TEXTS.localhost) },
      { instance: "nftables:10249", parsed: parseKubeProxyMetrics(TEXTS.nftables) },
    ]);
  });

  it("reads which cgroup version the kubelets use, by node", async () => {
    const { cgroupVersions } = await readPrometheus({
      url: prometheus.url,
      at: AT,
      labels: { cluster: "prod" },
    });
    expect(observedValue(cgroupVersions)).toEqual([{ node: "worker-1", version: 1 }]);
  });

  it("refuses to take several clusters for one", async () => {
    const { metrics } = await readPrometheus({ url: prometheus.url, at: AT });
    expect(metrics).toMatchObject({
      seen: false,
      why: "invalid",
      detail: "Prometheus holds several clusters (cluster: prod, staging): name one by its label",
    });
  });

  it("says so where the cluster's kube-proxies are not scraped", async () => {
    const { metrics } = await readPrometheus({ url: prometheus.url, at: AT, labels: { cluster: "other" } });
    expect(metrics).toMatchObject({
      seen: false,
      why: "absent",
      detail: "Prometheus holds no series of kube-proxy's metrics: it does not scrape them",
    });
  });

  it("does not let a label's value change the query", async () => {
    const labels = { cluster: '"} or {job=~".+' };
    const { metrics } = await readPrometheus({ url: prometheus.url, at: AT, labels });
    expect(metrics).toMatchObject({ seen: false, why: "absent" });
  });
});
