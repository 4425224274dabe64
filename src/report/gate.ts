import type { GateResult, GateRow } from "#src/commands/gate.ts";
import type { VerdictWord } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { modeText } from "./cluster-facts.ts";
import { alignedColumns } from "./columns.ts";
import { renderDocument } from "./json.ts";
import { type Painter, painter, type Tone } from "./paint.ts";
import { counted, listed, plain, wrap } from "./text.ts";
import { VERDICT_LABELS, verdictSentence } from "./verdict-text.ts";
import { minuteOf } from "./when.ts";

export interface ViewOptions {
  output: "table" | "json";
  colour: boolean;
  columns: number;
}

export const VERDICT_TONES = {
  blocked: "bad",
  incomplete: "doubtful",
  "clear-with-warnings": "doubtful",
  clear: "good",
} as const satisfies Record<VerdictWord, Tone>;

/** A gate's answer: for one cluster in full, for many as a matrix by wave with the worst first. */
export function renderGate(result: GateResult, options: ViewOptions): string {
  if (options.output === "json") return renderDocument(gateDocument(result));
  const paint = painter(options.colour);
  const width = Math.max(40, options.columns);
  const [only] = result.rows;
  const lines =
    result.rows.length === 1 && only ? gatePage(only, paint, width) : gateMatrix(result, paint, width);
  for (const audit of result.alreadyThere) {
    lines.push(`${plain(audit.name)} already runs ${audit.kubernetesVersion}: nothing to decide.`);
  }
  return `${lines.join("\n")}\n`;
}

/** The answer as JSON shows it. */
export function gateDocument(result: GateResult) {
  return {
    schemaVersion: 1,
    target: result.target,
    worst: result.worst,
    clusters: result.rows.map(({ audit, verdict, blocks, unknown, warns, approval }) => ({
      id: audit.id,
      name: audit.name,
      ...verdict,
      approval: approval === null ? null : { state: approval.state, ...approval.approval },
      findings: [...blocks, ...unknown, ...warns],
    })),
    alreadyThere: result.alreadyThere.map(({ id, name, kubernetesVersion }) => ({
      id,
      name,
      kubernetesVersion,
    })),
  };
}

function gatePage(row: GateRow, paint: Painter, width: number): string[] {
  const { audit, verdict } = row;
  const tone = paint.tone(VERDICT_TONES[verdict.verdict]);
  const lines = [
    `${paint.strong(plain(audit.name))} ${audit.kubernetesVersion ?? "(version unknown)"} → ${verdict.target}: ${tone(VERDICT_LABELS[verdict.verdict].toUpperCase())}`,
    ...wrap(
      `${modeText(audit.dataPlane)}; ${plain(audit.provider)}; audited ${minuteOf(audit.auditedAt)}.`,
      width,
    ),
    "",
    ...wrap(`Verdict: ${verdictSentence(verdict)}.`, width),
    ...(row.approval === null ? [] : wrap(approvalSentence(row.approval), width)),
  ];
  const group = (title: string, findings: readonly Finding[]) => {
    if (findings.length === 0) return;
    lines.push("", paint.strong(title));
    for (const finding of findings) lines.push(...findingLines(finding, width));
  };
  group("Blocks", row.blocks);
  group("Not judged", row.unknown);
  group("Warnings", row.warns);
  lines.push(
    "",
    ...wrap(`Covers: ${verdict.covers}. Does not cover: ${verdict.doesNotCover}.`, width),
    ...wrap(`Assumes: ${verdict.assumptions.map(plain).join("; ")}.`, width),
  );
  return lines;
}

/** `Approval: valid, by ravi, until 2027-03-15 09:00 UTC.`, and loudly where it overrode a block. */
function approvalSentence({ approval, state }: NonNullable<GateRow["approval"]>): string {
  const { approvedBy, expiresAt, overrideReason } = approval;
  const override =
    overrideReason === null ? "" : ` OVERRIDES A BLOCKED VERDICT, because: ${plain(overrideReason)}.`;
  return `Approval: ${state}, by ${plain(approvedBy)}, until ${minuteOf(expiresAt)}.${override}`;
}

function findingLines(finding: Finding, width: number): string[] {
  const { blocksFrom } = finding;
  const from =
    blocksFrom === undefined
      ? ""
      : ` [${blocksFrom.component} ${blocksFrom.version}, ${blocksFrom.certainty}]`;
  const indented = (text: string) => wrap(text, width - 4).map((line) => `    ${line}`);
  const [evidence] = finding.evidence;
  return [
    ...wrap(`- ${plain(finding.title)}${from} (${finding.check})`, width - 2).map((line, at) =>
      at === 0 ? line : `  ${line}`,
    ),
    ...indented(plain(finding.detail)),
    ...(evidence
      ? indented(`Evidence: ${plain(evidence.path ?? evidence.source.ref)}: ${plain(evidence.excerpt)}`)
      : []),
    ...(finding.fix === undefined ? [] : indented(`Next: ${plain(finding.fix)}`)),
  ];
}

const WAVES: readonly (readonly [VerdictWord, string])[] = [
  ["clear", "clear now"],
  ["clear-with-warnings", "after their warnings are read"],
  ["blocked", "blocked"],
  ["incomplete", "cannot be told"],
];

function gateMatrix(result: GateResult, paint: Painter, width: number): string[] {
  const rows = result.rows.map(({ audit, verdict, blocks, unknown }) => {
    const [first] = [...blocks, ...unknown];
    return [
      { text: plain(audit.name), paint: paint.strong },
      { text: audit.kubernetesVersion ?? "?" },
      { text: modeText(audit.dataPlane) },
      { text: VERDICT_LABELS[verdict.verdict], paint: paint.tone(VERDICT_TONES[verdict.verdict]) },
      { text: first === undefined ? verdictSentence(verdict) : plain(first.title) },
    ];
  });
  const waves = WAVES.flatMap(([word, label]) => {
    const names = result.rows
      .filter((row) => row.verdict.verdict === word)
      .map((row) => plain(row.audit.name));
    return names.length === 0
      ? []
      : wrap(`${counted(names.length, "cluster")} ${label}: ${listed(names)}.`, width);
  });
  return [
    `Upgrade to ${result.target}: ${VERDICT_LABELS[result.worst]} (the worst of ${counted(result.rows.length, "cluster")} decides)`,
    "",
    ...alignedColumns(["CLUSTER", "VERSION", "MODE", "VERDICT", "WHY"], rows, width),
    "",
    ...waves,
  ];
}
