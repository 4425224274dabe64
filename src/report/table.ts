import type { ScanResult, VerdictWord } from "#src/model/cluster-audit.ts";
import { type ClusterView, clusterViews } from "./cluster-view.ts";
import { alignedColumns } from "./columns.ts";
import type { FindingView } from "./finding-view.ts";
import { fleetSummary } from "./fleet-summary.ts";
import { type Painter, painter, type Tone } from "./paint.ts";
import type { Severity } from "./severity.ts";
import { wrap } from "./text.ts";
import { VERDICT_LABELS } from "./verdict-text.ts";

export interface TableOptions {
  now: string;
  columns: number;
  colour: boolean;
  titles?: Readonly<Record<string, string>> | undefined;
}

const VERDICT_TONES = {
  blocked: "bad",
  incomplete: "doubtful",
  "clear-with-warnings": "doubtful",
  clear: "good",
} as const satisfies Record<VerdictWord, Tone>;

const SEVERITY_TONES = {
  "blocks-now": "bad",
  "blocks-later": "bad",
  unknown: "doubtful",
  warning: "doubtful",
  info: "quiet",
} as const satisfies Record<Severity, Tone>;

/** For people at a terminal: the fleet in a table, then each cluster; one cluster alone is shown in full. */
export function renderTable(result: ScanResult, options: TableOptions): string {
  const paint = painter(options.colour);
  const width = Math.max(40, options.columns);
  const views = clusterViews(result, options);
  if (views.length === 0) return `${fleetSummary(result).join("\n")}\n`;
  const only = views.length === 1 ? views[0] : undefined;
  const lines =
    only !== undefined
      ? clusterPage(only, { paint, width, inFull: true })
      : [
          ...fleetSummary(result).flatMap((line) => wrap(line, width)),
          "",
          ...fleetTable(views, paint, width),
          ...views.flatMap((view) => ["", "", ...clusterPage(view, { paint, width, inFull: false })]),
        ];
  return `${lines.join("\n")}\n`;
}

/** Below this, five columns would be slivers. */
const NARROWEST_TABLE = 70;

function fleetTable(views: readonly ClusterView[], paint: Painter, width: number): string[] {
  if (width < NARROWEST_TABLE) return views.flatMap((view) => fleetEntry(view, paint, width));
  return alignedColumns(
    ["CLUSTER", "VERSION", "MODE", "UPGRADE TO", "NEXT ACTION"],
    views.map((view) => [
      { text: view.label, paint: paint.strong },
      { text: view.version },
      { text: view.mode },
      { text: verdictCell(view), paint: paint.tone(VERDICT_TONES[view.worst]) },
      { text: view.nextActionInShort },
    ]),
    width,
  );
}

function fleetEntry(view: ClusterView, paint: Painter, width: number): string[] {
  return [
    ...wrap(view.label, width).map(paint.strong),
    ...indented(`${view.version}, mode: ${view.mode}`, "  ", width),
    ...indented(verdictCell(view).replaceAll("\u00a0", " "), "  ", width).map(
      paint.tone(VERDICT_TONES[view.worst]),
    ),
    ...indented(`Next: ${view.nextActionInShort}`, "  ", width),
  ];
}

/** `1.36 blocked; 1.40 incomplete`, each verdict kept on one line. */
function verdictCell(view: ClusterView): string {
  if (view.verdicts.length === 0) return "no verdict";
  return view.verdicts
    .map(({ target, verdict }) => `${target} ${VERDICT_LABELS[verdict]}`.replaceAll(" ", "\u00a0"))
    .join("; ");
}

interface PageOptions {
  paint: Painter;
  width: number;
  /** Alone on the page: what is only good to know is explained as well. */
  inFull: boolean;
}

function clusterPage(view: ClusterView, options: PageOptions): string[] {
  const { paint, width } = options;
  const lines = (text: string, indent: string) => indented(text, indent, width);
  const name = view.name === view.id ? view.name : `${view.name} (${view.id})`;
  return [
    ...wrap(name, width).map(paint.strong),
    ...view.facts.flatMap((fact) => lines(fact, "  ")),
    ...(view.notReached === null ? [] : lines(view.notReached, "  ").map(paint.tone("bad"))),
    "",
    paint.strong("Upgrade to"),
    ...(view.verdicts.length === 0
      ? lines("no verdict, as too little was read", "  ").map(paint.tone("doubtful"))
      : []),
    ...view.verdicts.flatMap((verdict) =>
      lines(`${verdict.target}: ${verdict.sentence}`, "  ").map(paint.tone(VERDICT_TONES[verdict.verdict])),
    ),
    ...(options.inFull ? view.scope.flatMap((line) => lines(line, "  ").map(paint.tone("quiet"))) : []),
    ...view.groups.flatMap((group) => [
      "",
      paint.tone(SEVERITY_TONES[group.severity])(group.heading),
      ...group.findings.flatMap((finding) =>
        group.severity === "info" && !options.inFull
          ? lines(`- ${finding.title} [${finding.check}]`, "  ")
          : findingLines(finding, options),
      ),
    ]),
    ...(view.passed.length === 0
      ? []
      : ["", ...lines(`Passed: ${view.passed.join(", ")}`, "").map(paint.tone("quiet"))]),
    ...(view.unread.length === 0 ? [] : ["", paint.tone("doubtful")("Not read")]),
    ...view.unread.flatMap((one) => lines(`- ${one}`, "  ")),
    "",
    ...lines(`Next: ${view.nextAction}`, "").map(paint.strong),
  ];
}

function findingLines(finding: FindingView, { paint, width }: PageOptions): string[] {
  const indent = "    ";
  const lines = (text: string) => indented(text, indent, width);
  return [
    ...indented(`- ${finding.title} [${finding.check}]`, "  ", width).map(paint.strong),
    ...(finding.timing === null ? [] : lines(`When: ${finding.timing}`)),
    ...lines(finding.detail),
    ...(finding.concerns === null ? [] : lines(`Concerns: ${finding.concerns}`)),
    ...finding.evidence.flatMap((item) => lines(`Evidence: ${item}`).map(paint.tone("quiet"))),
    ...(finding.judgedBy === null ? [] : lines(`Judged by: ${finding.judgedBy}`).map(paint.tone("quiet"))),
    ...(finding.fix === null ? [] : lines(`Fix: ${finding.fix}`)),
  ];
}

/** Wrapped and indented; the lines after a list mark align with its text. */
function indented(text: string, indent: string, width: number): string[] {
  const hanging = text.startsWith("- ") ? "  " : "";
  const [first = "", ...rest] = wrap(text, width - indent.length - hanging.length);
  return [`${indent}${first}`, ...rest.map((line) => `${indent}${hanging}${line}`)];
}
