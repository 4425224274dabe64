import type { ClusterAudit, Verdict, VerdictWord } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import { alreadyAt } from "#src/verdict/targets.ts";
import { findingsBehind, verdictOf } from "#src/verdict/verdict.ts";
import { type ApprovalState, approvalFor } from "./approve.ts";

/** One cluster's answer to "may it move to that version". */
export interface GateRow {
  audit: ClusterAudit;
  verdict: Verdict;
  /** What is behind the verdict's lists. */
  blocks: Finding[];
  unknown: Finding[];
  warns: Finding[];
  /** The newest approval of this upgrade and whether it still stands. It is told, and changes no verdict. */
  approval: { approval: Approval; state: ApprovalState } | null;
}

export interface GateResult {
  target: string;
  rows: GateRow[];
  /** Clusters that already run the target or something newer: nothing to decide. */
  alreadyThere: ClusterAudit[];
  /** The worst of all: one blocked cluster blocks the lot. */
  worst: VerdictWord;
}

const WORST_FIRST: readonly VerdictWord[] = ["blocked", "incomplete", "clear-with-warnings", "clear"];

/**
 * The verdict of each cluster for one target, worst first.
 *
 * @throws ProxyAuditError `usage` where the only cluster asked about already runs the target.
 */
export function gateClusters(
  audits: readonly ClusterAudit[],
  target: string,
  options: {
    now: Date;
    waivers: readonly Waiver[];
    approvals?: readonly Approval[];
    maxAuditAgeHours?: number;
  },
): GateResult {
  const alreadyThere = audits.filter((audit) => alreadyAt(audit, target));
  const [first] = alreadyThere;
  if (first && alreadyThere.length === audits.length) {
    throw new ProxyAuditError(
      "usage",
      `${first.name} already runs ${first.kubernetesVersion}: ${target} is no upgrade. Give a newer version.`,
      { cluster: first.name },
    );
  }
  const rows = audits
    .filter((audit) => !alreadyThere.includes(audit))
    .map((audit) => {
      const waivers = options.waivers.filter((waiver) => waiver.clusterId === audit.id);
      const { blocks, unknown, warns } = findingsBehind(audit, target);
      const verdict = verdictOf(audit, target, { ...options, waivers });
      const approval = approvalFor(options.approvals ?? [], audit, target, options.now);
      return { audit, verdict, blocks, unknown, warns, approval };
    })
    .toSorted((a, b) => rank(a) - rank(b));
  return { target, rows, alreadyThere, worst: rows[0]?.verdict.verdict ?? "incomplete" };
}

function rank(row: GateRow): number {
  return WORST_FIRST.indexOf(row.verdict.verdict);
}

/**
 * 0 clear (warnings are printed), 2 blocked, 3 incomplete; with `failOnWarning`, warnings count as blocked. Where not
 * all clusters could be found, the rest being clear is incomplete.
 */
export function gateExitCode(
  worst: VerdictWord,
  { failOnWarning = false, allFound = true }: { failOnWarning?: boolean; allFound?: boolean },
): number {
  if (worst === "blocked" || (worst === "clear-with-warnings" && failOnWarning)) return 2;
  return worst === "incomplete" || !allFound ? 3 : 0;
}
