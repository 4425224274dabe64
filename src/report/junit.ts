import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { evidenceText, timingText } from "./finding-view.ts";
import { escapeMarkup } from "./markup.ts";
import { verdictSentence, verdictsOf } from "./verdict-text.ts";

interface TestCase {
  name: string;
  kind: "reach" | "verdict" | "check";
  /** `error` for what could not be judged: a skipped test would look green. */
  outcome: "passed" | "failure" | "error";
  message: string;
  /** Lines. */
  text: string[];
}

/**
 * JUnit XML as CI servers read it: a suite per cluster, a test case per check, by its stable identifier, and one
 * per verdict. A warning
 * passes as a check, with its words in `system-out`; that it blocks a later upgrade shows in the verdicts.
 */
export function renderJunit(result: ScanResult): string {
  const suites = result.clusters.map((cluster) => ({ cluster, cases: testCases(cluster) }));
  const total = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="proxy-audit" ${counts(total)}>`,
    ...suites.flatMap(({ cluster, cases }) => [
      `  <testsuite name="${escapeMarkup(cluster.id)}" ${counts(cases)} timestamp="${escapeMarkup(cluster.auditedAt)}">`,
      ...cases.flatMap((one) => testCaseLines(cluster, one)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function testCases(cluster: ClusterAudit): TestCase[] {
  const reach: TestCase = {
    name: "the cluster answers",
    kind: "reach",
    outcome: cluster.reachable ? "passed" : "error",
    message: cluster.reachable ? "" : "The cluster gave no answer",
    text: cluster.unread.map((one) => `Not read: ${one.what}: ${one.why}: ${one.detail}`),
  };
  const verdicts = verdictsOf(cluster).map((verdict): TestCase => {
    const sentence = verdictSentence(verdict);
    const outcomes = {
      blocked: "failure",
      incomplete: "error",
      "clear-with-warnings": "passed",
      clear: "passed",
    } as const;
    return {
      name: `upgrade to ${verdict.target}`,
      kind: "verdict",
      outcome: outcomes[verdict.verdict],
      message: sentence,
      text: [sentence, `Covered: ${verdict.covers}`, `Not covered: ${verdict.doesNotCover}`],
    };
  });
  const checks = [...Map.groupBy(cluster.findings, (finding) => finding.check)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([check, findings]) => checkCase(check, findings));
  return [reach, ...verdicts, ...checks];
}

/** A blocker fails the check even where something else about it is unknown. */
function checkCase(name: string, findings: readonly Finding[]): TestCase {
  const speaking = findings.filter((finding) => finding.status !== "pass");
  const worst =
    speaking.find((finding) => finding.status === "blocker") ??
    speaking.find((finding) => finding.status === "unknown");
  return {
    name,
    kind: "check",
    outcome: worst === undefined ? "passed" : worst.status === "blocker" ? "failure" : "error",
    message: worst?.title ?? "",
    text: speaking.flatMap(findingLines),
  };
}

function findingLines(finding: Finding): string[] {
  const timing = timingText(finding);
  return [
    `${finding.status}: ${finding.title}`,
    ...(timing === null ? [] : [`When: ${timing}`]),
    ...(finding.detail === "" ? [] : [finding.detail]),
    ...finding.evidence.map((item) => `Evidence: ${evidenceText(item)}`),
    ...(finding.fix === undefined ? [] : [`Fix: ${finding.fix}`]),
  ];
}

function counts(cases: readonly TestCase[]): string {
  const of = (outcome: TestCase["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  return `tests="${cases.length}" failures="${of("failure")}" errors="${of("error")}" skipped="0"`;
}

function testCaseLines(cluster: ClusterAudit, one: TestCase): string[] {
  const open = `    <testcase classname="${escapeMarkup(cluster.id)}.${one.kind}" name="${escapeMarkup(one.name)}"`;
  if (one.outcome === "passed" && one.text.length === 0) return [`${open}/>`];
  const text = one.text.map(escapeMarkup).join("\n");
  const body =
    one.outcome === "passed"
      ? `<system-out>${text}</system-out>`
      : `<${one.outcome} message="${escapeMarkup(one.message)}">${text}</${one.outcome}>`;
  return [`${open}>`, `      ${body}`, "    </testcase>"];
}
