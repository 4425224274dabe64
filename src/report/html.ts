import type { ScanResult, VerdictWord } from "#src/model/cluster-audit.ts";
import { type ClusterView, clusterViews, type ViewOptions } from "./cluster-view.ts";
import type { FindingView } from "./finding-view.ts";
import { fleetSummary } from "./fleet-summary.ts";
import { HTML_STYLE } from "./html-style.ts";
import { escapeMarkup } from "./markup.ts";
import { VERDICT_LABELS } from "./verdict-text.ts";

/**
 * One page that needs nothing else: no scripts, no fonts, no pictures, and a content security policy that would
 * stop them if an escape were ever missed.
 */
export function renderHtml(result: ScanResult, options: ViewOptions): string {
  const views = clusterViews(result, options);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>kube-proxy audit</title>
<style>
${HTML_STYLE}</style>
</head>
<body>
<main>
<h1>kube-proxy audit</h1>
<ul class="summary">
${list(fleetSummary(result))}</ul>
${views.length === 0 ? "" : fleetTable(views)}${views.map(clusterSection).join("")}</main>
</body>
</html>
`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `<li>${escapeMarkup(item)}</li>\n`).join("");
}

function badge(target: string, verdict: VerdictWord): string {
  return `<span class="verdict ${verdict}">${escapeMarkup(target)} ${VERDICT_LABELS[verdict]}</span>`;
}

function verdictBadges(view: ClusterView): string {
  if (view.verdicts.length === 0) return '<span class="verdict incomplete">no verdict</span>';
  return view.verdicts.map(({ target, verdict }) => badge(target, verdict)).join(" ");
}

function fleetTable(views: readonly ClusterView[]): string {
  const rows = views.map(
    (view, index) => `<tr>
<th scope="row"><a href="#cluster-${index + 1}">${escapeMarkup(view.label)}</a></th>
<td>${escapeMarkup(view.version)}</td>
<td>${escapeMarkup(view.mode)}</td>
<td>${verdictBadges(view)}</td>
<td>${escapeMarkup(view.nextActionInShort)}</td>
</tr>
`,
  );
  return `<div class="scroll"><table>
<thead><tr><th scope="col">Cluster</th><th scope="col">Version</th><th scope="col">Mode</th><th scope="col">Upgrade to</th><th scope="col">Next action</th></tr></thead>
<tbody>
${rows.join("")}</tbody>
</table></div>
`;
}

function clusterSection(view: ClusterView, index: number): string {
  const verdicts = view.verdicts.map(
    ({ target, verdict, sentence }) =>
      `<li class="${verdict}"><strong>${escapeMarkup(target)}:</strong> ${escapeMarkup(sentence)}</li>\n`,
  );
  const groups = view.groups.map(
    (group) => `<h3 class="${group.severity}">${escapeMarkup(group.heading)}</h3>
${group.findings.map(findingArticle).join("")}`,
  );
  return `<section id="cluster-${index + 1}">
<h2>${escapeMarkup(view.name)}</h2>
<p class="id">${escapeMarkup(view.id)}</p>
${view.notReached === null ? "" : `<p class="not-reached">${escapeMarkup(view.notReached)}</p>\n`}<ul>
${list(view.facts)}</ul>
<h3>Upgrade to</h3>
<ul>
${verdicts.length === 0 ? "<li>no verdict, as too little was read</li>\n" : verdicts.join("")}</ul>
${view.scope.length === 0 ? "" : `<ul class="quiet">\n${list(view.scope)}</ul>\n`}${groups.join("")}${
  view.passed.length === 0
    ? ""
    : `<h3>Passed</h3>\n<p class="quiet">${escapeMarkup(view.passed.join(", "))}</p>\n`
}${view.unread.length === 0 ? "" : `<h3 class="unknown">Not read</h3>\n<ul>\n${list(view.unread)}</ul>\n`}<p class="next"><strong>Next:</strong> ${escapeMarkup(view.nextAction)}</p>
</section>
`;
}

function findingArticle(finding: FindingView): string {
  const rows: [string, string | null][] = [
    ["When", finding.timing],
    ["Concerns", finding.concerns],
    ...finding.evidence.map((item): [string, string] => ["Evidence", item]),
    ["Judged by", finding.judgedBy],
    ["Fix", finding.fix],
  ];
  const terms = rows.flatMap(([term, text]) =>
    text === null ? [] : [`<dt>${term}</dt><dd>${escapeMarkup(text)}</dd>\n`],
  );
  return `<article>
<h4>${escapeMarkup(finding.title)} <code>${escapeMarkup(finding.check)}</code></h4>
${finding.detail === "" ? "" : `<p>${escapeMarkup(finding.detail)}</p>\n`}${terms.length === 0 ? "" : `<dl>\n${terms.join("")}</dl>\n`}</article>
`;
}
