import type { ContextBlock } from "@slack/types";
import type { ClusterAudit, Verdict, VerdictWord } from "#src/model/cluster-audit.ts";
import { counted, listed } from "#src/report/text.ts";
import { VERDICT_LABELS, verdictSentence } from "#src/report/verdict-text.ts";
import { ageOf, minuteOf } from "#src/report/when.ts";
import { COVERS, DOES_NOT_COVER } from "#src/verdict/verdict.ts";
import { type Inline, joined, md } from "../blocks/mrkdwn.ts";
import { context } from "../blocks/section.ts";

/** One character, so that it stands in places that parse no markup; always beside the word. */
const ICONS = {
  blocked: "🔴",
  incomplete: "⚪",
  "clear-with-warnings": "🟡",
  clear: "🟢",
} as const satisfies Record<VerdictWord, string>;

/** `🔴 blocked`. */
export function verdictText(word: VerdictWord): string {
  return `${ICONS[word]} ${VERDICT_LABELS[word]}`;
}

/** `🔴 blocked by proxy-mode (planned); not judged: node-kernel`. */
export function verdictLine(verdict: Verdict): string {
  return `${ICONS[verdict.verdict]} ${verdictSentence(verdict)}`;
}

const UNREAD_SHOWN = 4;

/** How complete the evidence was: what a reader must know before they believe what stands above. */
function evidenceText(audit: ClusterAudit): string {
  if (!audit.reachable) {
    const [why] = audit.unread;
    return `No evidence: the cluster gave no answer${why === undefined ? "" : ` (${why.why})`}`;
  }
  const unknown = new Set(
    audit.findings.filter(({ status }) => status === "unknown").map(({ check }) => check),
  );
  const judged = new Set(audit.findings.map(({ check }) => check)).size - unknown.size;
  const checks =
    unknown.size === 0
      ? `${counted(judged, "check")} judged`
      : `${judged} of ${counted(judged + unknown.size, "check")} judged, not: ${listed([...unknown])}`;
  if (audit.unread.length === 0) return `Evidence: every read succeeded; ${checks}`;
  const names = audit.unread.slice(0, UNREAD_SHOWN).map(({ what, why }) => `${what} (${why})`);
  const more = audit.unread.length - names.length;
  return `Evidence: not read: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}; ${checks}`;
}

/** Which cluster, when it was audited, how complete the evidence was: below everything about one cluster. */
export function aboutAudit(audit: ClusterAudit, now: Date): ContextBlock {
  return context(
    md`${audit.name} (${audit.id}), audited ${ageOf(audit.auditedAt, now.toISOString())}, ${minuteOf(audit.auditedAt)}`,
    evidenceText(audit),
  );
}

/** The same for several clusters. */
export function aboutAudits(audits: readonly ClusterAudit[], now: Date): ContextBlock {
  const times = audits.map((audit) => audit.auditedAt).toSorted();
  const [oldest] = times;
  const newest = times.at(-1);
  const complete = audits.filter(
    ({ reachable, unread, findings }) =>
      reachable && unread.length === 0 && findings.every(({ status }) => status !== "unknown"),
  ).length;
  const unreached = audits.filter((audit) => !audit.reachable).length;
  return context(
    oldest === undefined || newest === undefined
      ? "No cluster was audited"
      : `Audited between ${minuteOf(oldest)} (${ageOf(oldest, now.toISOString())}) and ${minuteOf(newest)}`,
    `Evidence: complete for ${complete} of ${counted(audits.length, "cluster")}${unreached === 0 ? "" : `, no answer from ${unreached}`}`,
  );
}

/** What a verdict says something about, and what it does not. */
export function scope(assumptions: readonly string[] = []): ContextBlock {
  return context(
    `A verdict covers: ${COVERS}. It does not cover: ${DOES_NOT_COVER}.`,
    ...(assumptions.length === 0 ? [] : [`Assumed: ${assumptions.join("; ")}.`]),
  );
}

/** `a, b and c and 12 more`: names beside each other, as many as a line bears. */
export function some(names: readonly string[], shown = 12): string {
  const first = names.slice(0, shown);
  const more = names.length - first.length;
  return more > 0 ? `${first.join(", ")} and ${more} more` : listed(first);
}

/** Lines below each other, empty ones left out. */
export function lines(...parts: readonly (Inline | null)[]): Inline {
  return joined(
    parts.filter((part) => part !== null),
    "\n",
  );
}
