import type { ScanResult } from "#src/model/cluster-audit.ts";
import { type ClusterView, clusterViews, type ViewOptions } from "./cluster-view.ts";
import type { FindingView } from "./finding-view.ts";
import { fleetSummary } from "./fleet-summary.ts";
import { VERDICT_LABELS } from "./verdict-text.ts";

/** GitHub-flavoured Markdown, for a pull request, a job summary or a wiki. */
export function renderMarkdown(result: ScanResult, options: ViewOptions): string {
  const views = clusterViews(result, options);
  const lines = [
    "# kube-proxy audit",
    "",
    ...fleetSummary(result).map((line) => `- ${escapeMarkdown(line)}`),
    ...(views.length === 0 ? [] : ["", ...fleetTable(views)]),
    ...views.flatMap((view) => ["", ...clusterSection(view)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Between two characters it keeps a renderer from reading them as one thing, and shows as nothing. */
const NOTHING = "<!-- -->";

/**
 * Text with no meaning to Markdown or HTML. Names come from clusters: they must not make a table cell, a link,
 * an image that calls home, or a mention that notifies people. GitHub looks for mentions, issue numbers and
 * addresses in the rendered text, where no escape is left to see: those are split.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_~|[\]!$]/g, "\\$&")
    .replace(/^([-+])|^(\d+)(?=[.)] )|^(#)/, "$2\\$1$3")
    .replace(/@(?=\w)|#(?=\d)|:(?=\/\/)|\bwww(?=\.)/gi, `$&${NOTHING}`);
}

function fleetTable(views: readonly ClusterView[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [
    row(["Cluster", "Version", "Mode", "Upgrade to", "Next action"]),
    "| --- | --- | --- | --- | --- |",
    ...views.map((view) =>
      row([view.label, view.version, view.mode, verdictCell(view), view.nextActionInShort]),
    ),
  ];
}

function verdictCell(view: ClusterView): string {
  if (view.verdicts.length === 0) return "no verdict";
  return view.verdicts.map(({ target, verdict }) => `${target} ${VERDICT_LABELS[verdict]}`).join("; ");
}

function clusterSection(view: ClusterView): string[] {
  const item = (text: string) => `- ${escapeMarkdown(text)}`;
  const section = (heading: string, items: readonly string[]) =>
    items.length === 0 ? [] : ["", `### ${escapeMarkdown(heading)}`, "", ...items];
  return [
    `## ${escapeMarkdown(view.label)}`,
    "",
    ...(view.notReached === null ? [] : [`**${escapeMarkdown(view.notReached)}**`, ""]),
    ...(view.label === view.id ? [] : [item(view.id)]),
    ...view.facts.map(item),
    ...section(
      "Upgrade to",
      view.verdicts.length === 0
        ? [item("no verdict, as too little was read")]
        : [
            ...view.verdicts.map((verdict) => item(`${verdict.target}: ${verdict.sentence}`)),
            ...view.scope.map(item),
          ],
    ),
    ...view.groups.flatMap((group) => section(group.heading, group.findings.flatMap(findingItem))),
    ...section("Passed", view.passed.length === 0 ? [] : [escapeMarkdown(view.passed.join(", "))]),
    ...section("Not read", view.unread.map(item)),
    "",
    `**Next:** ${escapeMarkdown(view.nextAction)}`,
  ];
}

function findingItem(finding: FindingView): string[] {
  const rows: [string, string | null][] = [
    ["When", finding.timing],
    ["Concerns", finding.concerns],
    ...finding.evidence.map((item): [string, string] => ["Evidence", item]),
    ["Judged by", finding.judgedBy],
    ["Fix", finding.fix],
  ];
  return [
    `- **${escapeMarkdown(finding.title)}** (${escapeMarkdown(finding.check)})`,
    ...(finding.detail === "" ? [] : [`  ${escapeMarkdown(finding.detail)}`]),
    ...rows.flatMap(([name, text]) => (text === null ? [] : [`  - ${name}: ${escapeMarkdown(text)}`])),
  ];
}
