import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { bySeverity } from "./severity.ts";
import { counted, listed, plain } from "./text.ts";
import { verdictsOf } from "./verdict-text.ts";

/**
 * The one thing to do next for a cluster: reach it, else the fix of the finding that presses most for an upgrade.
 * What only matters for a migration or for tidiness never comes first. "Nothing to do" only when every verdict is
 * clear.
 */
export function nextAction(cluster: ClusterAudit): string {
  if (!cluster.reachable) {
    const why = cluster.unread[0];
    return why === undefined
      ? "Make the cluster reachable and audit it again"
      : `Make the cluster reachable and audit it again (${plain(why.why)}: ${plain(why.detail)})`;
  }
  const pressing = bySeverity(cluster.findings.filter((finding) => concernsUpgrade(finding, cluster)))
    .filter((group) => group.severity !== "info")
    .flatMap((group) => group.findings);
  const first = pressing.find((finding) => finding.fix !== undefined) ?? pressing[0];
  if (first !== undefined) return plain(first.fix ?? first.title);
  const verdicts = verdictsOf(cluster);
  if (verdicts.length > 0 && verdicts.every((verdict) => verdict.verdict === "clear")) {
    const warnings = cluster.findings.filter((finding) => finding.status === "warning").length;
    // A cluster can be ill without an upgrade making it worse: that must not read as "nothing to do".
    const beside = warnings === 0 ? "" : `; ${counted(warnings, "warning")} to read beside the upgrade`;
    return `Nothing to do for ${listed(verdicts.map((verdict) => plain(verdict.target)))}${beside}`;
  }
  return "See the verdicts";
}

/** What a verdict can rest on: an unknown only where some verdict counts it. */
function concernsUpgrade(finding: Finding, cluster: ClusterAudit): boolean {
  if (finding.status === "unknown") {
    return verdictsOf(cluster).some((verdict) => verdict.unknown.includes(finding.check));
  }
  return finding.about === "upgrade" || finding.upgradeFrom !== undefined;
}

/** The next action's first sentence: a fix says what to do first, then how. */
export function nextActionInShort(cluster: ClusterAudit): string {
  const action = nextAction(cluster);
  const end = action.indexOf(". ");
  return end < 0 ? action : action.slice(0, end + 1);
}
