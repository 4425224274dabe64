import { describe, expect, it, onTestFinished } from "vitest";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import { scrapedSeries } from "#src/demo/prometheus/scraped-series.ts";
import { parseSelector } from "#src/demo/prometheus/selector.ts";
import { type DemoPrometheus, startPrometheus } from "#src/demo/prometheus/start-prometheus.ts";
import { readPrometheus } from "#src/evidence/prometheus/read.ts";
import type { Sample } from "#src/kubernetes/metrics-text.ts";

const SERIES: readonly Sample[] = [
  { name: "up", labels: { job: "node", instance: "10.0.0.1:9100" }, value: 1 },
  { name: "up", labels: { job: "kubelet", instance: "10.0.0.1:10250" }, value: 0 },
  { name: "upgrades_total", labels: { job: "node", path: 'a"b' }, value: 7 },
];
const NOW = new Date("2026-11-30T09:00:00Z");

async function started(series = SERIES): Promise<DemoPrometheus> {
  const prometheus = await startPrometheus(series, { now: () => NOW });
  onTestFinished(() => prometheus.close());
  return prometheus;
}

async function query(prometheus: DemoPrometheus, promql: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${prometheus.url}/api/v1/query?${new URLSearchParams({ query: promql })}`);
  return { status: answer.status, body: await answer.json() };
}

describe("a selector", () => {
  it.each([
    ['{__name__="up"}', [0, 1]],
    ['{__name__=~"up"}', [0, 1]],
    ['{__name__=~"up|upgrades_total",job="node"}', [0, 2]],
    ['{__name__=~"up.*", job!="node"}', [1]],
    ['{job!~"node|other"}', [1]],
    ['{path="a\\"b"}', [2]],
    ['{missing=""}', [0, 1, 2]],
    ['{__name__="up",}', [0, 1]],
  ])("%s picks the series %j", (text, picked) => {
    const selects = parseSelector(text);
    expect(SERIES.flatMap((series, index) => (selects?.(series) ? [index] : []))).toEqual(picked);
  });

  it.each([
    "up",
    "",
    "{}",
    "sum({job='node'})",
    '{job="node"} offset 5m',
    '{job=~"("}',
    '{job="node" job="x"}',
  ])("is not %j, which is not answered", (text) => {
    expect(parseSelector(text)).toBeNull();
  });
});

describe("the demo's Prometheus", () => {
  it("answers an instant query as Prometheus does", async () => {
    expect(await query(await started(), '{__name__="up",job="node"}')).toEqual({
      status: 200,
      body: {
        status: "success",
        data: {
          resultType: "vector",
          result: [
            {
              metric: { __name__: "up", job: "node", instance: "10.0.0.1:9100" },
              value: [NOW.getTime() / 1_000, "1"],
            },
          ],
        },
      },
    });
  });

  it("refuses what is not a selector as Prometheus refuses what it cannot parse", async () => {
    expect(await query(await started(), "rate(up[5m])")).toMatchObject({
      status: 400,
      body: { status: "error", errorType: "bad_data" },
    });
  });

  it("has no other path, and takes nothing but GET", async () => {
    const { url } = await started();
    const other = await fetch(`${url}/api/v1/targets`);
    const write = await fetch(`${url}/api/v1/query?query=up`, { method: "POST" });
    expect([other.status, write.status]).toEqual([404, 405]);
  });

  it("is read by the ordinary reader: one kube-proxy and one kubelet for each node that runs them", async () => {
    const cluster = readDemoFleet().find(({ name }) => name === "web-kubeadm");
    const { url } = await started(scrapedSeries(cluster?.objects ?? [], cluster?.metrics ?? {}));
    const { metrics, cgroupVersions } = await readPrometheus({ url: new URL(url), at: NOW.toISOString() });
    if (metrics.seen !== true || cgroupVersions.seen !== true) throw new Error("not read");
    expect(metrics.value.map(({ instance, parsed }) => [instance, parsed.mode, parsed.version])).toEqual(
      ["11", "12", "13", "14", "15", "16"].map((host) => [`10.37.0.${host}:10249`, "iptables", "v1.37.2"]),
    );
    expect(cgroupVersions.value.map(({ node, version }) => `${node} ${version}`)).toEqual([
      "web-cp-1 2",
      "web-worker-1 2",
      "web-worker-2 2",
      "web-worker-3 2",
      "web-worker-4 2",
      "web-worker-5 2",
    ]);
  });
});
