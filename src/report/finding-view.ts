import type { EvidenceItem, Finding } from "#src/model/finding.ts";
import { judgedBy } from "./judged-by.ts";
import { listed, plain } from "./text.ts";
import { minuteOf } from "./when.ts";

/** One finding in the words of a report, every text `plain`. */
export interface FindingView {
  title: string;
  check: string;
  /** When it hurts: `blocks kube-proxy from 1.40 (planned)`. */
  timing: string | null;
  detail: string;
  evidence: string[];
  concerns: string | null;
  fix: string | null;
  /** The upstream and provider facts it was judged by. */
  judgedBy: string | null;
}

export function findingView(finding: Finding): FindingView {
  return {
    title: plain(finding.title),
    check: plain(finding.check),
    timing: timingText(finding),
    detail: plain(finding.detail),
    evidence: finding.evidence.map(evidenceText),
    concerns: concernsText(finding),
    fix: finding.fix === undefined ? null : plain(finding.fix),
    judgedBy:
      finding.facts === undefined || finding.facts.length === 0 ? null : judgedBy(finding.facts).join("; "),
  };
}

/** When a finding hurts, in words; null where no version is involved. */
export function timingText(finding: Finding): string | null {
  if (finding.blocksFrom !== undefined) {
    const { component, version, certainty } = finding.blocksFrom;
    const verb = finding.status === "unknown" ? "could block" : "blocks";
    const until =
      finding.blocksUntil === undefined ? "" : ` up to the one before ${plain(finding.blocksUntil)}`;
    return `${verb} ${component} from ${plain(version)} (${certainty})${until}`;
  }
  if (finding.upgradeFrom !== undefined) {
    return `matters when leaving the current mode, and to every upgrade from ${plain(finding.upgradeFrom.version)} (${finding.upgradeFrom.certainty})`;
  }
  return finding.about === "migration" ? "matters when leaving the current mode" : null;
}

/** `DUMP/proxy.yaml: ConfigMap kube-system/kube-proxy data[config.conf].mode: ipvs (read 2027-03-01 09:00 UTC)`. */
export function evidenceText(item: EvidenceItem): string {
  const { path } = item;
  const where = path === undefined ? plain(item.source.ref) : `${sourceOf(item)} ${plain(path)}`.trim();
  return `${where}: ${plain(item.excerpt)} (${item.source.kind}, read ${minuteOf(item.source.at)})`;
}

/** A file names the object or kind that it was read for, which the path then says more exactly. */
function sourceOf({ source }: EvidenceItem): string {
  if (source.kind !== "manifest") return plain(source.ref);
  const file = source.ref.split(": ")[0] ?? "";
  return /\.(ya?ml|json)$|^stdin$/.test(file) ? `${plain(file)}:` : "";
}

function concernsText(finding: Finding): string | null {
  const shown = (finding.subjects ?? []).map(plain);
  const more = (finding.subjectCount ?? shown.length) - shown.length;
  if (shown.length === 0) return more > 0 ? `${more}, by count only` : null;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : listed(shown);
}
