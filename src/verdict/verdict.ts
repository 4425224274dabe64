import { checkById } from "#src/checks/index.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit, Verdict, VerdictWord } from "#src/model/cluster-audit.ts";
import type { Certainty, Finding } from "#src/model/finding.ts";
import type { Waiver } from "#src/model/waiver.ts";
import { providerById } from "#src/providers/index.ts";
import { maxControlPlaneFor } from "#src/timeline/skew.ts";
import { isCovered } from "./waivers.ts";

export const COVERS = "kube-proxy, node kernel, container runtime";
export const DOES_NOT_COVER =
  "API removals, storage (SELinux mounts in 1.37, gitRepo volumes in 1.36), static pods that reference API objects (1.37), deprecated kubelet flags (1.37), admission";

/** An audit older than this makes every verdict incomplete. */
const MAX_AUDIT_AGE_HOURS = 36;

export interface VerdictOptions {
  now: Date;
  /** Those of this cluster; expired ones count for nothing. */
  waivers?: readonly Waiver[];
  maxAuditAgeHours?: number;
}

/**
 * Whether kube-proxy and the kubelets of a cluster may move to `target` (`1.40`), by one audit. Blocked: an
 * unwaived finding with `blocksFrom` at or below the target. Incomplete: none known, but something unread in a
 * check that can block there, or an audit that is too old. Only findings about `upgrade` decide.
 */
export function verdictOf(audit: ClusterAudit, target: string, options: VerdictOptions): Verdict {
  const judged = audit.findings.map((finding) => ({ finding, bearing: bearingOf(finding, target) }));
  const covered = (finding: Finding) => isCovered(finding, options.waivers ?? [], options.now);
  const all = (bearing: Bearing) => judged.filter((one) => one.bearing === bearing).map((one) => one.finding);
  const blockers = all("blocks").filter((finding) => !covered(finding));
  const unknown = all("unknown").filter((finding) => !covered(finding));
  const waived = [...all("blocks"), ...all("unknown")].filter(covered);
  const warnings = [...all("warns"), ...waived];
  const reasons = reasonsOf(audit, options);
  return {
    target,
    verdict: wordOf(blockers, unknown, warnings, reasons),
    blockers: checksOf(blockers),
    warnings: checksOf(all("warns")),
    unknown: checksOf(unknown),
    waived: checksOf(waived),
    reasons,
    certainty: leastCertain(blockers.length > 0 ? blockers : unknown),
    controlPlaneAlone: controlPlaneAlone(audit, blockers),
    covers: COVERS,
    doesNotCover: DOES_NOT_COVER,
    assumptions: assumptionsOf(audit, blockers, target),
    auditedAt: audit.auditedAt,
  };
}

/** The findings behind a verdict's lists, for those who show them: what blocks, what is unknown, what warns. */
export function findingsBehind(
  audit: ClusterAudit,
  target: string,
): Record<Exclude<Bearing, "none">, Finding[]> {
  const by = (bearing: Bearing) => audit.findings.filter((finding) => bearingOf(finding, target) === bearing);
  return { blocks: by("blocks"), unknown: by("unknown"), warns: by("warns") };
}

type Bearing = "blocks" | "unknown" | "warns" | "none";

function bearingOf(finding: Finding, target: string): Bearing {
  const { blocksFrom, blocksUntil, upgradeFrom, status, about } = finding;
  if (
    upgradeFrom &&
    status !== "pass" &&
    status !== "unknown" &&
    compareMinor(upgradeFrom.version, target) <= 0
  ) {
    return "warns";
  }
  if (about !== "upgrade" || status === "pass") return "none";
  const over = blocksUntil !== undefined && compareMinor(blocksUntil, target) <= 0;
  const reached = blocksFrom !== undefined && compareMinor(blocksFrom.version, target) <= 0 && !over;
  if (status === "unknown") {
    const canBlock = checkById(finding.check)?.canBlock !== null;
    return canBlock && (blocksFrom === undefined || reached) ? "unknown" : "none";
  }
  if (reached) return blocksFrom.component === "kubeadm" ? "warns" : "blocks";
  // kubeadm's own objection does not matter before the version that raises it.
  if (blocksFrom?.component === "kubeadm") return "none";
  return status === "warning" || status === "blocker" ? "warns" : "none";
}

function wordOf(
  blockers: Finding[],
  unknown: Finding[],
  warnings: Finding[],
  reasons: string[],
): VerdictWord {
  if (reasons.length > 0) return "incomplete";
  if (blockers.length > 0) return "blocked";
  if (unknown.length > 0) return "incomplete";
  return warnings.length > 0 ? "clear-with-warnings" : "clear";
}

function reasonsOf(
  audit: ClusterAudit,
  { now, maxAuditAgeHours = MAX_AUDIT_AGE_HOURS }: VerdictOptions,
): string[] {
  const hours = (now.getTime() - Date.parse(audit.auditedAt)) / 3_600_000;
  return hours > maxAuditAgeHours
    ? [`stale: audited ${Math.floor(hours)} hours ago, at most ${maxAuditAgeHours} count`]
    : [];
}

function checksOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map((finding) => finding.check))];
}

const CERTAINTIES: readonly Certainty[] = ["estimated", "announced", "planned", "released"];

function leastCertain(findings: readonly Finding[]): Certainty | null {
  const certainties = new Set(findings.flatMap((finding) => finding.blocksFrom?.certainty ?? []));
  return CERTAINTIES.find((certainty) => certainties.has(certainty)) ?? null;
}

/**
 * Where kube-proxy can stay behind: the last kube-proxy that works, and the newest control plane beside it. Null
 * where kube-proxy is upgraded together with the control plane (kubeadm).
 */
function controlPlaneAlone(audit: ClusterAudit, blockers: readonly Finding[]): Verdict["controlPlaneAlone"] {
  if (providerById(audit.provider).kubeProxyUpgrade === "with-control-plane") return null;
  const versions = blockers.flatMap(({ blocksFrom }) =>
    blocksFrom?.component === "kube-proxy" ? [blocksFrom.version] : [],
  );
  const [first] = versions.toSorted(compareMinor);
  const running = audit.kubeProxyVersions.at(-1) ?? audit.kubernetesVersion;
  if (first === undefined || running === null || compareMinor(running, first) >= 0) return null;
  const kubeProxy = addMinor(first, -1);
  return { kubeProxy, atMost: maxControlPlaneFor(kubeProxy) };
}

function assumptionsOf(audit: ClusterAudit, blockers: readonly Finding[], target: string): string[] {
  const assumptions = [`kube-proxy and the kubelets move to ${target} with their configuration as it is`];
  const plans = blockers.filter(({ blocksFrom }) => blocksFrom?.certainty !== "released");
  if (plans.length > 0) assumptions.push("upstream's plans and providers' announcements happen as published");
  if (audit.kubernetesVersion === null) assumptions.push("the cluster's own version is unknown");
  return assumptions;
}
