import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import type { EvidenceItem, Finding, FindingStatus } from "#src/model/finding.ts";
import { evidenceText, timingText } from "./finding-view.ts";
import { safeJson } from "./json.ts";
import { plain } from "./text.ts";

/**
 * SARIF 2.1.0 has a kind `open` for what could not be judged, with level `none`; viewers leave those out, so an
 * unknown is reported as a warning instead. Passes are not results.
 */
const LEVELS = {
  blocker: "error",
  warning: "warning",
  unknown: "warning",
  info: "note",
} as const satisfies Record<Exclude<FindingStatus, "pass">, string>;

/** A SARIF 2.1.0 log with one run over all clusters. */
export function renderSarif(
  result: ScanResult,
  options: { titles?: Readonly<Record<string, string>> | undefined },
): string {
  const reported = result.clusters.flatMap((cluster) =>
    cluster.findings.flatMap((finding) =>
      finding.status === "pass" ? [] : [{ cluster, finding, level: LEVELS[finding.status] }],
    ),
  );
  const checks = [...new Set(reported.map(({ finding }) => finding.check))].toSorted();
  return `${safeJson(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "proxy-audit",
              rules: checks.map((id) => ({ id, shortDescription: { text: options.titles?.[id] ?? id } })),
            },
          },
          invocations: [
            {
              executionSuccessful: result.clusters.every((cluster) => cluster.reachable),
              startTimeUtc: result.startedAt,
              endTimeUtc: result.finishedAt,
              toolExecutionNotifications: result.clusters.flatMap(notifications),
            },
          ],
          results: reported.map(({ cluster, finding, level }) => ({
            ruleId: finding.check,
            ruleIndex: checks.indexOf(finding.check),
            level,
            message: { text: messageText(cluster, finding) },
            locations: [
              { ...physicalLocation(finding.evidence), logicalLocations: [clusterLocation(cluster)] },
            ],
            relatedLocations: finding.evidence.map((item, id) => ({
              id,
              message: { text: unlinked(evidenceText(item)) },
              ...physicalLocation([item]),
              logicalLocations: [{ fullyQualifiedName: fullName(item) }],
            })),
            partialFingerprints: { "proxyAudit/v1": finding.fingerprint },
            properties: { about: finding.about, status: finding.status, cluster: cluster.id },
          })),
        },
      ],
    },
    "indented",
  )}\n`;
}

function messageText(cluster: ClusterAudit, finding: Finding): string {
  const timing = timingText(finding);
  const parts = [
    sentence(
      `${plain(cluster.name)}: ${finding.status === "unknown" ? "could not be judged: " : ""}${plain(finding.title)}`,
    ),
    ...(timing === null ? [] : [`When: ${timing}.`]),
    plain(finding.detail),
    ...(finding.fix === undefined ? [] : [`Fix: ${plain(finding.fix)}`]),
  ];
  return unlinked(parts.filter((part) => part !== "").join(" "));
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** A SARIF message takes `[text](address)` for a link (3.11.6); names from clusters must not make one. */
function unlinked(text: string): string {
  return text.replaceAll("](", "] (");
}

function clusterLocation(cluster: ClusterAudit): Record<string, string> {
  return { name: cluster.name, fullyQualifiedName: cluster.id, kind: "object" };
}

function fullName(item: EvidenceItem): string {
  return item.path === undefined ? item.source.ref : `${item.source.ref} ${item.path}`;
}

/** Only a manifest is a file that a viewer could open. */
function physicalLocation(evidence: readonly EvidenceItem[]): Record<string, unknown> {
  const manifest = evidence.find((item) => item.source.kind === "manifest");
  if (manifest === undefined) return {};
  const uri = manifest.source.ref.split("/").map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri } } };
}

function notifications(cluster: ClusterAudit): Record<string, unknown>[] {
  const notReached = cluster.reachable
    ? []
    : [
        {
          level: "error",
          message: { text: unlinked(`${plain(cluster.name)}: the cluster gave no answer.`) },
        },
      ];
  return [
    ...notReached,
    ...cluster.unread.map((one) => ({
      level: "warning",
      message: {
        text: unlinked(
          `${plain(cluster.name)}: not read: ${plain(one.what)}: ${one.why}: ${plain(one.detail)}`,
        ),
      },
    })),
  ].map((notification) => ({
    ...notification,
    locations: [{ logicalLocations: [clusterLocation(cluster)] }],
  }));
}
