import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import { findingStatusSchema } from "#src/model/finding.ts";
import { plain } from "./text.ts";
import { verdictsOf } from "./verdict-text.ts";

interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** Prometheus text exposition (0.0.4), for the node exporter's textfile collector or a push gateway. */
export function renderPrometheus(result: ScanResult): string {
  const each = (of: (cluster: ClusterAudit) => Sample[]) => result.clusters.flatMap(of);
  return [
    family("proxy_audit_finding", "Findings of a check by status.", each(findingSamples)),
    family("proxy_audit_verdict", "The verdict on upgrading to a version.", each(verdictSamples)),
    family("proxy_audit_audit_timestamp_seconds", "When the cluster was audited.", each(timestampSamples)),
    family("proxy_audit_reachable", "1 if the cluster answered, 0 if not.", each(reachableSamples)),
    family("proxy_audit_unread", "Things that the audit could not read.", each(unreadSamples)),
    family("proxy_audit_cluster_info", "What a cluster is and runs.", each(infoSamples)),
  ].join("");
}

function family(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}{${pairs.join(",")}} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats: backslash, quote and line feed. */
function escapeLabel(text: string): string {
  return plain(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function findingSamples(cluster: ClusterAudit): Sample[] {
  return [...Map.groupBy(cluster.findings, (finding) => finding.check)].flatMap(([check, findings]) =>
    findingStatusSchema.options
      .map((status) => ({
        labels: { cluster: cluster.id, check, status },
        value: findings.filter((finding) => finding.status === status).length,
      }))
      .filter((sample) => sample.value > 0),
  );
}

function verdictSamples(cluster: ClusterAudit): Sample[] {
  return verdictsOf(cluster).map(({ target, verdict }) => ({
    labels: { cluster: cluster.id, target, verdict },
    value: 1,
  }));
}

function timestampSamples(cluster: ClusterAudit): Sample[] {
  const seconds = Date.parse(cluster.auditedAt) / 1_000;
  return Number.isNaN(seconds) ? [] : [{ labels: { cluster: cluster.id }, value: seconds }];
}

function reachableSamples(cluster: ClusterAudit): Sample[] {
  return [{ labels: { cluster: cluster.id }, value: cluster.reachable ? 1 : 0 }];
}

function unreadSamples(cluster: ClusterAudit): Sample[] {
  return [{ labels: { cluster: cluster.id }, value: cluster.unread.length }];
}

function infoSamples(cluster: ClusterAudit): Sample[] {
  const labels = {
    cluster: cluster.id,
    name: cluster.name,
    provider: cluster.provider,
    account: cluster.account ?? "",
    region: cluster.region ?? "",
    team: cluster.team ?? "",
    environment: cluster.environment ?? "",
    kubernetes_version: cluster.kubernetesVersion ?? "",
    mode: cluster.dataPlane.mode,
  };
  return [{ labels, value: 1 }];
}
