import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { byVersion } from "./verdict-text.ts";

/** How findings are grouped for a reader, the most pressing first. A pass belongs to none. */
const SEVERITIES = ["blocks-now", "blocks-later", "unknown", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SEVERITY_HEADINGS = {
  "blocks-now": "Broken or blocked today",
  "blocks-later": "Blocks a later upgrade",
  unknown: "Could not be judged",
  warning: "Warnings",
  info: "To know",
} as const satisfies Record<Severity, string>;

function severityOf(finding: Finding): Severity | null {
  switch (finding.status) {
    case "pass":
      return null;
    case "blocker":
      return "blocks-now";
    case "warning":
      return finding.blocksFrom === undefined ? "warning" : "blocks-later";
    case "unknown":
      return "unknown";
    case "info":
      return "info";
  }
}

/** What asks for something, most pressing first: by severity, then by the version from which it blocks. */
export function bySeverity(findings: readonly Finding[]): { severity: Severity; findings: Finding[] }[] {
  return SEVERITIES.map((severity) => ({
    severity,
    findings: findings.filter((finding) => severityOf(finding) === severity).toSorted(byBlockingVersion),
  })).filter((group) => group.findings.length > 0);
}

function byBlockingVersion(a: Finding, b: Finding): number {
  if (a.blocksFrom === undefined || b.blocksFrom === undefined) {
    return Number(a.blocksFrom === undefined) - Number(b.blocksFrom === undefined);
  }
  return byVersion(a.blocksFrom.version, b.blocksFrom.version);
}

/** Checks that passed and found nothing else. */
export function passedChecks(cluster: ClusterAudit): string[] {
  const notPassed = new Set(
    cluster.findings.filter((finding) => finding.status !== "pass").map((finding) => finding.check),
  );
  const passed = cluster.findings
    .filter((finding) => finding.status === "pass")
    .map((finding) => finding.check);
  return [...new Set(passed)].filter((check) => !notPassed.has(check)).toSorted();
}
