import { checkById } from "#src/checks/index.ts";
import { type ApprovalState, approvalState } from "#src/commands/approve.ts";
import { rowOf } from "#src/commands/fleet.ts";
import { type WaiverRow, waiverRows } from "#src/commands/waive.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit, Verdict } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Approval } from "#src/model/waiver.ts";
import { factsOf } from "#src/report/cluster-facts.ts";
import { timingText } from "#src/report/finding-view.ts";
import { judgedBy } from "#src/report/judged-by.ts";
import { nextAction } from "#src/report/next-action.ts";
import { bySeverity, type Severity } from "#src/report/severity.ts";
import { verdictSentence } from "#src/report/verdict-text.ts";
import type { FindingChange } from "#src/store/records.ts";
import type { FindingStore } from "#src/store/store.ts";
import { alreadyAt, defaultTargets } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";
import { isCovered } from "#src/verdict/waivers.ts";
import { type Coverage, coverageOf } from "./fleet-json.ts";

export interface FindingJson extends Finding {
  checkTitle: string;
  /** When it hurts, in words. */
  timing: string | null;
  /** A waiver in force covers it: it stays listed. */
  waived: boolean;
  /** The facts behind it, each by who says so. */
  judgedBy: string[];
}

export interface ClusterJson {
  audit: Omit<ClusterAudit, "findings" | "verdicts">;
  coverage: Coverage;
  facts: string[];
  nextAction: string;
  /** By target, nearest first, with waivers applied as of now. */
  verdicts: { verdict: Verdict; sentence: string }[];
  /** Set where the version asked for is one the cluster has reached. */
  alreadyAt: string | null;
  groups: { severity: Severity; findings: FindingJson[] }[];
  waivers: WaiverRow[];
  approvals: { approval: Approval; state: ApprovalState }[];
  changes: FindingChange[];
  history: { auditedAt: string; mode: string; version: string | null; reachable: boolean }[];
}

const CHANGES_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * Everything known about one cluster.
 *
 * @throws ProxyAuditError `not-found`
 */
export async function clusterJson(
  store: FindingStore,
  id: string,
  target: string | null,
  now: Date,
): Promise<ClusterJson> {
  const audit = await store.latest(id);
  if (audit === undefined) {
    throw new ProxyAuditError("not-found", `no audit of ${id} is stored: scan it first.`, { cluster: id });
  }
  const since = new Date(now.getTime() - CHANGES_DAYS * DAY_MS).toISOString();
  const [waivers, approvals, changes, history] = await Promise.all([
    store.waivers({ clusterId: id }),
    store.approvals({ clusterId: id }),
    store.changesSince(since, { clusterId: id }),
    store.history(id, { limit: 30 }),
  ]);
  const targets = targetsOf(audit, target);
  const { findings, verdicts: _, ...rest } = audit;
  return {
    audit: rest,
    coverage: coverageOf(audit, rowOf(audit, { now, waivers }).stale),
    facts: factsOf(audit, now.toISOString()),
    nextAction: nextAction(audit),
    verdicts: targets.map((one) => {
      const verdict = verdictOf(audit, one, { now, waivers });
      return { verdict, sentence: verdictSentence(verdict) };
    }),
    alreadyAt: target !== null && alreadyAt(audit, target) ? target : null,
    groups: bySeverity(findings).map(({ severity, findings: group }) => ({
      severity,
      findings: group.map((finding) => ({
        ...finding,
        checkTitle: checkById(finding.check)?.title ?? finding.check,
        timing: timingText(finding),
        waived: isCovered(finding, waivers, now),
        judgedBy: judgedBy(finding.facts ?? []),
      })),
    })),
    waivers: waiverRows(waivers, [audit], now),
    approvals: approvals.map((approval) => ({ approval, state: approvalState(approval, audit, now) })),
    changes: changes.toReversed(),
    history: history.map((one) => ({
      auditedAt: one.auditedAt,
      mode: one.dataPlane.mode,
      version: one.kubernetesVersion,
      reachable: one.reachable,
    })),
  };
}

function targetsOf(audit: ClusterAudit, target: string | null): string[] {
  const wanted = new Set([...defaultTargets(audit), ...(target === null ? [] : [target])]);
  return [...wanted].filter((one) => !alreadyAt(audit, one)).toSorted(compareMinor);
}
