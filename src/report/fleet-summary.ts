import type { ClusterAudit, ScanResult, VerdictWord } from "#src/model/cluster-audit.ts";
import { counted, listed, plain } from "./text.ts";
import { byVersion, VERDICT_LABELS, VERDICT_ORDER } from "./verdict-text.ts";
import { minuteOf } from "./when.ts";

/**
 * What a fleet amounts to, in sentences: how many clusters there are, which gave no answer, and the verdicts
 * for each target by count. Every target accounts for every cluster.
 */
export function fleetSummary(result: ScanResult): string[] {
  const { clusters } = result;
  if (clusters.length === 0) return ["No clusters were audited."];
  const dark = clusters.filter((cluster) => !cluster.reachable).map((cluster) => plain(cluster.name));
  return [
    `${counted(clusters.length, "cluster")}, audited ${span(result)}.`,
    ...(dark.length === 0 ? [] : [`No answer from ${listed(dark)}.`]),
    ...targetLines(clusters),
  ];
}

/**
 * One line a target that clusters have in common. Clusters of different versions have different next ones: those
 * make one line together.
 */
function targetLines(clusters: readonly ClusterAudit[]): string[] {
  const targets = [...new Set(clusters.flatMap((cluster) => Object.keys(cluster.verdicts)))].toSorted(
    byVersion,
  );
  const shared = (target: string) =>
    clusters.filter((cluster) => cluster.verdicts[target] !== undefined).length * 2 >= clusters.length;
  const apart = new Set(targets.filter((target) => !shared(target)));
  const next = clusters.map((cluster) => targets.find((target) => cluster.verdicts[target] !== undefined));
  const toNext = next.some((target) => target !== undefined && apart.has(target))
    ? [
        line(
          "their next version",
          clusters.map((cluster, at) => cluster.verdicts[next[at] ?? ""]?.verdict),
        ),
      ]
    : [];
  return [
    ...toNext,
    ...targets
      .filter((target) => !apart.has(target))
      .map((target) =>
        line(
          plain(target),
          clusters.map((cluster) => cluster.verdicts[target]?.verdict),
        ),
      ),
  ];
}

/** Every line accounts for every cluster. */
function line(target: string, words: readonly (VerdictWord | undefined)[]): string {
  const counts = VERDICT_ORDER.map(
    (word) => [words.filter((one) => one === word).length, VERDICT_LABELS[word]] as const,
  );
  const none = words.filter((word) => word === undefined).length;
  const parts = [...counts, [none, "without a verdict"] as const]
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count} ${label}`);
  return `Upgrade to ${target}: ${parts.join("; ")}.`;
}

function span({ startedAt, finishedAt }: ScanResult): string {
  const [from, to] = [minuteOf(startedAt), minuteOf(finishedAt)];
  return from === to ? from : `from ${from} to ${to}`;
}
