import { type Command, Option } from "commander";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { collect } from "./sources.ts";

/** Where kube-proxy's metrics are, as options of a command. */
export interface PrometheusOption {
  prometheus?: string;
  prometheusLabel?: string[];
}

/** Stands for the cluster's name in a label's value. */
const CLUSTER = "{cluster}";

export function addPrometheusOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--prometheus <url>", "a Prometheus that scrapes kube-proxy, for what only metrics show"),
    )
    .addOption(
      new Option(
        "--prometheus-label <name=value>",
        `picks a cluster's series where a Prometheus has several, e.g. cluster=${CLUSTER}; repeatable`,
      ).argParser(collect),
    );
}

/**
 * The clusters, each with its Prometheus.
 *
 * @throws ProxyAuditError `usage` for a URL or label that is none, and where one Prometheus would speak for several
 * clusters without a label that tells them apart.
 */
export function withPrometheus(clusters: InventoryCluster[], options: PrometheusOption): InventoryCluster[] {
  if (options.prometheus === undefined) return clusters;
  const url = urlOf(options.prometheus);
  const labels = (options.prometheusLabel ?? []).map(labelOf);
  if (clusters.length > 1 && !labels.some(([, value]) => value.includes(CLUSTER))) {
    throw new ProxyAuditError(
      "usage",
      `one Prometheus for ${clusters.length} clusters needs a label that tells them apart: --prometheus-label cluster=${CLUSTER}`,
    );
  }
  return clusters.map((cluster) => ({
    ...cluster,
    prometheus: {
      url,
      labels: Object.fromEntries(
        labels.map(([name, value]) => [name, value.replaceAll(CLUSTER, cluster.name)]),
      ),
    },
  }));
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new ProxyAuditError(
    "usage",
    `--prometheus ${text} is not a URL. Give one like http://prometheus:9090.`,
  );
}

function labelOf(text: string): [string, string] {
  const match = /^([A-Za-z_]\w*)=(.*)$/.exec(text);
  if (match) return [match[1] ?? "", match[2] ?? ""];
  throw new ProxyAuditError(
    "usage",
    `--prometheus-label ${text} is not name=value. Give one like cluster=prod-eu.`,
  );
}
