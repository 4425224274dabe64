import type { ClusterAudit, ScanResult, VerdictWord } from "#src/model/cluster-audit.ts";
import { factsOf, modeText } from "./cluster-facts.ts";
import { type FindingView, findingView } from "./finding-view.ts";
import { nextAction, nextActionInShort } from "./next-action.ts";
import { bySeverity, passedChecks, SEVERITY_HEADINGS, type Severity } from "./severity.ts";
import { plain } from "./text.ts";
import { VERDICT_ORDER, verdictSentence, verdictsOf, worstVerdict } from "./verdict-text.ts";

/** One cluster in the words of a report, every text `plain`: renderers only lay it out and escape it. */
export interface ClusterView {
  name: string;
  id: string;
  /** The name, or the identifier where another cluster of the scan has the same name. */
  label: string;
  version: string;
  mode: string;
  worst: VerdictWord;
  nextAction: string;
  /** Its first sentence, for tables. */
  nextActionInShort: string;
  /** What it is, what it runs, and when that was read. */
  facts: string[];
  /** Null when the cluster answered. */
  notReached: string | null;
  verdicts: { target: string; verdict: VerdictWord; sentence: string }[];
  /** What the verdicts cover and assume. */
  scope: string[];
  groups: { severity: Severity; heading: string; findings: FindingView[] }[];
  passed: string[];
  unread: string[];
}

export interface ViewOptions {
  now: string;
  /** What checks are called for people, by check identifier. */
  titles?: Readonly<Record<string, string>> | undefined;
}

function clusterView(cluster: ClusterAudit, options: ViewOptions & { ambiguous?: boolean }): ClusterView {
  const title = (check: string) => plain(options.titles?.[check] ?? check);
  return {
    name: plain(cluster.name),
    id: plain(cluster.id),
    label: plain(options.ambiguous === true ? cluster.id : cluster.name),
    version: plain(cluster.kubernetesVersion ?? "unknown"),
    mode: modeText(cluster.dataPlane),
    worst: worstVerdict(cluster),
    nextAction: nextAction(cluster),
    nextActionInShort: nextActionInShort(cluster),
    facts: factsOf(cluster, options.now),
    notReached: cluster.reachable
      ? null
      : "This cluster gave no answer: nothing here says that it is fine, or that it is not.",
    verdicts: verdictsOf(cluster).map((verdict) => ({
      target: plain(verdict.target),
      verdict: verdict.verdict,
      sentence: verdictSentence(verdict),
    })),
    scope: scopeOf(cluster),
    groups: bySeverity(cluster.findings).map(({ severity, findings }) => ({
      severity,
      heading: SEVERITY_HEADINGS[severity],
      findings: findings.map(findingView),
    })),
    passed: passedChecks(cluster).map(title),
    unread: cluster.unread.map((one) => `${plain(one.what)}: ${one.why}${bracketed(one.detail)}`),
  };
}

function scopeOf(cluster: ClusterAudit): string[] {
  const verdicts = verdictsOf(cluster);
  const each = (of: (verdict: (typeof verdicts)[number]) => readonly string[]) => [
    ...new Set(verdicts.flatMap(of).map(plain)),
  ];
  return [
    ...each((verdict) => [verdict.covers]).map((covers) => `covered: ${covers}`),
    ...each((verdict) => [verdict.doesNotCover]).map((doesNot) => `not covered: ${doesNot}`),
    ...each((verdict) => verdict.assumptions).map((assumption) => `assumed: ${assumption}`),
  ];
}

function bracketed(detail: string): string {
  return detail === "" ? "" : ` (${plain(detail)})`;
}

/** The views of a scan's clusters, the worst verdict first; within one verdict in the order of the scan. */
export function clusterViews(result: ScanResult, options: ViewOptions): ClusterView[] {
  const times = new Map<string, number>();
  for (const { name } of result.clusters) times.set(name, (times.get(name) ?? 0) + 1);
  return result.clusters
    .map((cluster) => clusterView(cluster, { ...options, ambiguous: (times.get(cluster.name) ?? 0) > 1 }))
    .toSorted((a, b) => VERDICT_ORDER.indexOf(a.worst) - VERDICT_ORDER.indexOf(b.worst));
}
