import { compareMinor, parseMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit, Verdict, VerdictWord } from "#src/model/cluster-audit.ts";
import { listed, plain } from "./text.ts";

/** Worst first. */
export const VERDICT_ORDER = [
  "blocked",
  "incomplete",
  "clear-with-warnings",
  "clear",
] as const satisfies readonly VerdictWord[];

export const VERDICT_LABELS = {
  blocked: "blocked",
  incomplete: "incomplete",
  "clear-with-warnings": "clear, with warnings",
  clear: "clear",
} as const satisfies Record<VerdictWord, string>;

/** For columns of a table. */
export const VERDICT_SHORT = {
  blocked: "blocked",
  incomplete: "incomplete",
  "clear-with-warnings": "warnings",
  clear: "clear",
} as const satisfies Record<VerdictWord, string>;

/** Versions oldest first; what is no version comes last. */
export function byVersion(a: string, b: string): number {
  const [left, right] = [parseMinor(a), parseMinor(b)];
  if (left === null || right === null)
    return Number(left === null) - Number(right === null) || (a < b ? -1 : 1);
  return compareMinor(left, right);
}

/** A cluster's verdicts, nearest target first. */
export function verdictsOf(cluster: ClusterAudit): Verdict[] {
  return Object.entries(cluster.verdicts)
    .toSorted(([a], [b]) => byVersion(a, b))
    .map(([, verdict]) => verdict);
}

/** The worst verdict of a cluster over all its targets; without any verdict it is incomplete. */
export function worstVerdict(cluster: ClusterAudit): VerdictWord {
  const words = new Set(verdictsOf(cluster).map((verdict) => verdict.verdict));
  return VERDICT_ORDER.find((word) => words.has(word)) ?? "incomplete";
}

/** `blocked by proxy-mode (planned); not judged: node-kernel`. */
export function verdictSentence(verdict: Verdict): string {
  const { blockers, unknown, warnings, waived, reasons, controlPlaneAlone } = verdict;
  const parts: string[] = [];
  if (verdict.verdict === "blocked") {
    const by = blockers.length === 0 ? "" : ` by ${names(blockers)}`;
    const unsure =
      verdict.certainty === null || verdict.certainty === "released" ? "" : ` (${verdict.certainty})`;
    parts.push(`blocked${by}${unsure}`);
  } else {
    const which =
      verdict.verdict === "clear-with-warnings" && warnings.length > 0 ? `: ${names(warnings)}` : "";
    parts.push(`${VERDICT_LABELS[verdict.verdict]}${which}`);
  }
  if (reasons.length > 0) parts.push(names(reasons));
  if (unknown.length > 0) parts.push(`not judged: ${names(unknown)}`);
  if (warnings.length > 0 && verdict.verdict !== "clear-with-warnings")
    parts.push(`warnings: ${names(warnings)}`);
  if (waived.length > 0) parts.push(`waived: ${names(waived)}`);
  if (controlPlaneAlone !== null) {
    parts.push(
      `with kube-proxy ${plain(controlPlaneAlone.kubeProxy)} the control plane may be at most ${plain(controlPlaneAlone.atMost)}`,
    );
  }
  return parts.join("; ");
}

function names(items: readonly string[]): string {
  return listed(items.map(plain));
}
