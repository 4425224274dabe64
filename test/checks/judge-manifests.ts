import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkInputOf } from "#src/audit/audit-cluster.ts";
import type { Check } from "#src/checks/check.ts";
import { collectEvidence } from "#src/evidence/collect.ts";
import { readDataPlane } from "#src/evidence/data-plane/reading.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { ProxyMetrics } from "#src/evidence/prometheus/metrics.ts";
import { clustersFromManifests } from "#src/inventory/manifests.ts";
import { parseKubeProxyMetrics } from "#src/kubernetes/metrics.ts";
import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import { type Source, seen } from "#src/model/observed.ts";

const ROOT = "test/fixtures/cases/checks";
export const NOW = new Date("2026-11-30T09:00:00Z");

interface JudgeOptions {
  now?: Date;
  /** What manifests cannot hold: logs, a /version answer, counts. */
  change?: (evidence: Evidence) => Evidence;
}

/**
 * What a check finds about the cluster in test/fixtures/cases/checks/FOLDER, by the real path from files to
 * findings. `metrics/INSTANCE.txt` in the folder is that kube-proxy's /metrics. Times of sources are left out,
 * and the folder of file names.
 */
export async function judgeManifests(
  check: Check,
  folder: string,
  options: JudgeOptions = {},
): Promise<Finding[]> {
  const evidence = await evidenceIn(folder, options);
  const input = checkInputOf(evidence, readDataPlane(evidence), options.now ?? NOW);
  return check.judge(input).map(withoutTimes);
}

/** What is collected from the cluster in test/fixtures/cases/checks/FOLDER. */
export async function evidenceIn(
  folder: string,
  { now = NOW, change = (evidence) => evidence }: JudgeOptions = {},
): Promise<Evidence> {
  const path = join(ROOT, folder);
  const at = now.toISOString();
  const [cluster] = await clustersFromManifests([path], { stdin: async () => "", at });
  if (!cluster) throw new Error(`no cluster in ${path}`);
  const reader = await cluster.open();
  if ("seen" in reader) throw new Error(reader.detail);
  const collected = await collectEvidence(cluster, reader, { at, logs: 0 });
  return change({ ...collected, ...metricsOf(path, at) });
}

function metricsOf(path: string, at: string): Partial<Evidence> {
  const folder = join(path, "metrics");
  if (!existsSync(folder)) return {};
  const metrics = readdirSync(folder).map(
    (file): ProxyMetrics => ({
      instance: basename(file, ".txt"),
      parsed: parseKubeProxyMetrics(readFileSync(join(folder, file), "utf8")),
    }),
  );
  return { metrics: seen(metrics, { kind: "prometheus", ref: "query", at }) };
}

function withoutTimes(finding: Finding): Finding {
  const evidence = finding.evidence.map((item) => ({
    ...item,
    source: { ...item.source, ref: item.source.ref.replace(`${ROOT}/`, ""), at: "" },
  }));
  return { ...finding, evidence };
}

/** A finding in one line, for tables: `warning upgrade from 1.40: title`. */
export function inShort({ status, about, title, blocksFrom, upgradeFrom }: Finding): string {
  const from = blocksFrom ?? upgradeFrom;
  return `${status} ${about}${from === undefined ? "" : ` from ${from.version}`}: ${title}`;
}

/** A piece of evidence as `judgeManifests` gives it. */
export function said(
  ref: string,
  path: string | undefined,
  excerpt: string,
  kind: Source["kind"] = "manifest",
): EvidenceItem {
  return { source: { kind, ref, at: "" }, ...(path === undefined ? {} : { path }), excerpt };
}
