import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { modeText } from "./cluster-facts.ts";
import { evidenceText } from "./finding-view.ts";
import { plain } from "./text.ts";
import { VERDICT_LABELS, verdictsOf } from "./verdict-text.ts";

type Row = readonly (string | number | boolean | null | undefined)[];

const HEADINGS = [
  "cluster",
  "name",
  "provider",
  "account",
  "region",
  "team",
  "environment",
  "kubernetes",
  "mode",
  "reachable",
  "audited at",
  "verdicts",
  "not read",
  "check",
  "about",
  "status",
  "title",
  "detail",
  "blocks from",
  "component",
  "certainty",
  "fix",
  "subject count",
  "evidence",
  "fingerprint",
] as const;

/** RFC 4180: a row per finding; a cluster without findings keeps one row, so that no cluster is missing. */
export function renderCsv(result: ScanResult): string {
  const rows = result.clusters.flatMap((cluster) =>
    cluster.findings.length === 0
      ? [[...clusterCells(cluster), ...findingCells(undefined)]]
      : cluster.findings.map((finding) => [...clusterCells(cluster), ...findingCells(finding)]),
  );
  return [HEADINGS, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function clusterCells(cluster: ClusterAudit): Row {
  return [
    cluster.id,
    cluster.name,
    cluster.provider,
    cluster.account,
    cluster.region,
    cluster.team,
    cluster.environment,
    versionCell(cluster.kubernetesVersion),
    modeText(cluster.dataPlane),
    cluster.reachable,
    cluster.auditedAt,
    verdictsOf(cluster)
      .map(({ target, verdict }) => `${versionCell(target)} ${VERDICT_LABELS[verdict]}`)
      .join("; "),
    cluster.unread.map((one) => `${one.what}: ${one.why}`).join("; "),
  ];
}

function findingCells(finding: Finding | undefined): Row {
  return [
    finding?.check,
    finding?.about,
    finding?.status,
    finding?.title,
    finding?.detail,
    versionCell(finding?.blocksFrom?.version),
    finding?.blocksFrom?.component,
    finding?.blocksFrom?.certainty,
    finding?.fix,
    finding?.subjectCount ?? finding?.subjects?.length,
    finding?.evidence.map(evidenceText).join("; "),
    finding?.fingerprint,
  ];
}

/** `v1.40`: a spreadsheet reads `1.40` as the number 1.4, which is another Kubernetes version. */
function versionCell(version: string | null | undefined): string {
  return version === null || version === undefined ? "" : `v${version}`;
}

/** What a spreadsheet takes for the start of a formula (OWASP, CSV Injection), fullwidth forms included. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/u;

function csvCell(value: Row[number]): string {
  const text = String(value ?? "");
  const shown = FORMULA.test(text) ? `'${plain(text)}` : plain(text);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
