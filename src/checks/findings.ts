import { compareMinor } from "#src/kubernetes/version.ts";
import {
  type BlocksFrom,
  DETAIL_LIMIT,
  type EvidenceItem,
  type Finding,
  type FindingStatus,
  SUBJECTS_SHOWN,
  TITLE_LIMIT,
} from "#src/model/finding.ts";
import type { NotSeen, PartlySeen, Source } from "#src/model/observed.ts";
import type { FactId } from "#src/timeline/facts.ts";
import type { Check, CheckInput } from "./check.ts";

export interface FindingParts {
  status: FindingStatus;
  /** Plain text; cut at 150 characters. */
  title: string;
  /** Plain text; cut at 1,500 characters. */
  detail: string;
  evidence: EvidenceItem[];
  about?: Finding["about"];
  fix?: string;
  blocksFrom?: BlocksFrom;
  blocksUntil?: string;
  upgradeFrom?: { version: string; certainty: BlocksFrom["certainty"] };
  /** All of them; the first twenty are kept, with the count. */
  subjects?: readonly string[];
  facts?: readonly FactId[];
  /**
   * What tells this finding from others of the check, stable across runs: no times, no node names. Waivers and
   * approvals hang on it.
   */
  what: string;
}

/** A finding of `check` about the cluster of `input`, within the limits that people and Slack can read. */
export function finding(check: Pick<Check, "id" | "about">, input: CheckInput, parts: FindingParts): Finding {
  const { subjects, what, facts, title, detail, ...rest } = parts;
  return {
    check: check.id,
    about: check.about,
    ...rest,
    title: cut(title, TITLE_LIMIT),
    detail: cut(detail, DETAIL_LIMIT),
    ...(subjects === undefined
      ? {}
      : { subjects: subjects.slice(0, SUBJECTS_SHOWN), subjectCount: subjects.length }),
    ...(facts === undefined ? {} : { facts: [...facts] }),
    fingerprint: `${check.id}/${input.evidence.cluster.id}/${what}`,
  };
}

/** `unknown`, with the reason why it was not read. */
export function unknownFinding(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  parts: Omit<FindingParts, "status" | "evidence"> & { unread: Unread },
): Finding {
  const { unread, detail, ...rest } = parts;
  const reason = `${reasonText(unread)}.`;
  return finding(check, input, {
    ...rest,
    status: "unknown",
    detail: detail === "" ? reason : `${detail} ${reason}`,
    evidence: [{ source: unread.source, excerpt: unread.why }],
  });
}

type Unread = NotSeen | PartlySeen<unknown>;

/** `Not read: forbidden: nodes is ...`; where nothing was refused, only the reason. */
function reasonText(unread: Unread): string {
  const why = whyText(unread);
  return unread.why === "not-requested"
    ? `Reason: ${why.replace(/^not-requested: /, "")}`
    : `Not read: ${why}`;
}

/** `forbidden: nodes is forbidden: User "x" cannot list ...`. */
function whyText(unread: { why: string; detail: string }): string {
  return `${unread.why}: ${unread.detail}`.replace(/\.$/, "");
}

/** A reason that is not one failed read, as `unread`: what is missing, and where it would have been. */
export function missing(detail: string, source: Source): NotSeen {
  return { seen: false, why: "not-requested", detail, source };
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

/**
 * A blocker where what runs today is at or past the version that blocks, a warning before that. `running` holds
 * the minor versions of the component that `blocksFrom` is about.
 */
export function statusOf(blocksFrom: BlocksFrom, running: readonly string[]): "blocker" | "warning" {
  const newest = running.at(-1);
  return newest !== undefined && compareMinor(newest, blocksFrom.version) >= 0 ? "blocker" : "warning";
}

/** "1 node", "3 nodes". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** "a, b and c", with "and 5 more" past the limit. */
export function listed(items: readonly string[], limit = 5): string {
  const shown =
    items.length > limit ? [...items.slice(0, limit), `${items.length - limit} more`] : [...items];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
