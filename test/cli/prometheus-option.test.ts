import { describe, expect, it } from "vitest";
import { withPrometheus } from "#src/cli/prometheus-option.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { notSeen } from "#src/model/observed.ts";

function cluster(name: string): InventoryCluster {
  return {
    id: `kubeconfig:${name}`,
    name,
    account: null,
    region: null,
    team: null,
    environment: null,
    answers: [],
    open: async () => notSeen("not-requested", "not opened", { kind: "kubernetes", ref: name, at: "" }),
  };
}

function asked(clusters: InventoryCluster[]) {
  return clusters.map(({ name, prometheus }) => [name, prometheus?.url.href, prometheus?.labels]);
}

describe("--prometheus", () => {
  it("leaves clusters as they are where it is not given", () => {
    const clusters = [cluster("a")];
    expect(withPrometheus(clusters, {})).toBe(clusters);
  });

  it("needs no label for one cluster", () => {
    expect(asked(withPrometheus([cluster("a")], { prometheus: "http://127.0.0.1:9090" }))).toEqual([
      ["a", "http://127.0.0.1:9090/", {}],
    ]);
  });

  it("picks each cluster's series by its name", () => {
    const options = {
      prometheus: "https://metrics/prom",
      prometheusLabel: ["cluster={cluster}", "env=prod"],
    };
    expect(asked(withPrometheus([cluster("a"), cluster("b")], options))).toEqual([
      ["a", "https://metrics/prom", { cluster: "a", env: "prod" }],
      ["b", "https://metrics/prom", { cluster: "b", env: "prod" }],
    ]);
  });

  it.each([
    [
      { prometheus: "http://p" },
      "one Prometheus for 2 clusters needs a label that tells them apart: --prometheus-label cluster={cluster}",
    ],
    [
      { prometheus: "prometheus:9090" },
      "--prometheus prometheus:9090 is not a URL. Give one like http://prometheus:9090.",
    ],
    [
      { prometheus: "http://p", prometheusLabel: ["cluster"] },
      "--prometheus-label cluster is not name=value. Give one like cluster=prod-eu.",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => withPrometheus([cluster("a"), cluster("b")], options)).toThrow(message);
  });
});
