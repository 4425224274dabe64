import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import type { FindingChange, OpenFinding } from "./records.ts";

/** A pass or a piece of information asks nothing of anybody; the rest is open until it is gone. */
function isOpen(finding: Finding): boolean {
  return finding.status === "warning" || finding.status === "blocker" || finding.status === "unknown";
}

/**
 * Whether an audit says enough about a check to call its earlier findings fixed. A check that had to report
 * `unknown` in part may have missed just the thing it found before.
 */
function judged(audit: ClusterAudit, check: string): boolean {
  return (
    audit.reachable &&
    !audit.findings.some((finding) => finding.check === check && finding.status === "unknown")
  );
}

/**
 * What is open after an audit, and what it opened and closed, given what was open before; `previous` is
 * undefined for the first audit of a cluster.
 */
export function findingChanges(
  previous: readonly OpenFinding[] | undefined,
  audit: ClusterAudit,
): { open: OpenFinding[]; changes: FindingChange[] } {
  const before = new Map((previous ?? []).map((finding) => [finding.fingerprint, finding]));
  const open = new Map<string, OpenFinding>();
  for (const { fingerprint, check, about, status, title } of audit.findings.filter(isOpen)) {
    const since = before.get(fingerprint)?.since ?? audit.auditedAt;
    open.set(fingerprint, { fingerprint, check, about, status, title, since, seenAt: audit.auditedAt });
  }
  const opened = [...open.values()].filter((finding) => !before.has(finding.fingerprint));
  const closed: OpenFinding[] = [];
  for (const finding of before.values()) {
    if (open.has(finding.fingerprint)) continue;
    if (judged(audit, finding.check)) closed.push(finding);
    else open.set(finding.fingerprint, finding);
  }

  const change = (finding: OpenFinding, kind: FindingChange["change"]): FindingChange => ({
    fingerprint: finding.fingerprint,
    check: finding.check,
    about: finding.about,
    status: finding.status,
    title: finding.title,
    clusterId: audit.id,
    provider: audit.provider,
    team: audit.team,
    environment: audit.environment,
    change: kind,
    at: audit.auditedAt,
    firstAudit: previous === undefined,
  });
  return {
    open: [...open.values()],
    changes: [
      ...opened.map((finding) => change(finding, "opened")),
      ...closed.map((finding) => change(finding, "closed")),
    ],
  };
}
