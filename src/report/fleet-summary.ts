import type { ScanResult } from "#src/model/cluster-audit.ts";
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
  const targets = [...new Set(clusters.flatMap((cluster) => Object.keys(cluster.verdicts)))].toSorted(
    byVersion,
  );
  const dark = clusters.filter((cluster) => !cluster.reachable).map((cluster) => plain(cluster.name));
  return [
    `${counted(clusters.length, "cluster")}, audited ${span(result)}.`,
    ...(dark.length === 0 ? [] : [`No answer from ${listed(dark)}.`]),
    ...targets.map((target) => {
      const words = clusters.map((cluster) => cluster.verdicts[target]?.verdict);
      const counts = VERDICT_ORDER.map(
        (word) => [words.filter((one) => one === word).length, VERDICT_LABELS[word]] as const,
      );
      const none = words.filter((word) => word === undefined).length;
      const parts = [...counts, [none, "without a verdict"] as const]
        .filter(([count]) => count > 0)
        .map(([count, label]) => `${count} ${label}`);
      return `Upgrade to ${plain(target)}: ${parts.join("; ")}.`;
    }),
  ];
}

function span({ startedAt, finishedAt }: ScanResult): string {
  const [from, to] = [minuteOf(startedAt), minuteOf(finishedAt)];
  return from === to ? from : `from ${from} to ${to}`;
}
