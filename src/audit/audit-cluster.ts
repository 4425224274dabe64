import { CHECKS, type CheckInput } from "#src/checks/index.ts";
import { type CollectOptions, collectEvidence } from "#src/evidence/collect.ts";
import { type DataPlaneReading, readDataPlane } from "#src/evidence/data-plane/reading.ts";
import { clusterMinorOf, kubeletMinorsOf, minorOfInstance } from "#src/evidence/data-plane/start.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import { unreachable, unreadOf } from "#src/evidence/unread.ts";
import type { InventoryCluster, ReadLimits } from "#src/inventory/cluster.ts";
import { compareMinor } from "#src/kubernetes/version.ts";
import type { ClusterAudit, DataPlane } from "#src/model/cluster-audit.ts";
import { observedValue } from "#src/model/observed.ts";
import { providerOf } from "#src/providers/index.ts";
import { nodeSummaryOf } from "./node-summary.ts";
import { providerSignalsOf } from "./provider-signals.ts";
import { unopenedReader } from "./unopened-reader.ts";

export interface AuditOptions {
  now: Date;
  /** How many kube-proxy logs to read. */
  logs: number;
  limits?: ReadLimits;
  /** A Prometheus that scrapes the cluster's kube-proxies. */
  prometheus?: CollectOptions["prometheus"];
  podsProxy?: CollectOptions["podsProxy"];
}

/**
 * Audits one cluster: reads it, judges it by every check. A cluster that cannot be opened or reached is audited
 * too, with everything unknown. Verdicts are added by `src/verdict`.
 */
export async function auditCluster(cluster: InventoryCluster, options: AuditOptions): Promise<ClusterAudit> {
  const at = options.now.toISOString();
  const opened = await cluster.open(options.limits);
  const reader = "seen" in opened ? unopenedReader(opened) : opened;
  try {
    const { logs, prometheus, podsProxy } = options;
    const evidence = await collectEvidence(cluster, reader, { at, logs, prometheus, podsProxy });
    return judgeEvidence(evidence, options.now);
  } finally {
    await reader.close();
  }
}

/** The audit of evidence that was collected: pure. */
export function judgeEvidence(evidence: Evidence, now: Date): ClusterAudit {
  const dataPlane = readDataPlane(evidence);
  const input = checkInputOf(evidence, dataPlane, now);
  return {
    ...evidence.cluster,
    provider: input.provider.id,
    kubernetesVersion: input.minor,
    kubeProxyVersions: [...input.kubeProxyMinors],
    auditedAt: now.toISOString(),
    reachable: !unreachable(evidence),
    dataPlane: contractOf(dataPlane),
    nodes: nodeSummaryOf(evidence),
    findings: CHECKS.flatMap((check) => check.judge(input)),
    verdicts: {},
    unread: unreadOf(evidence),
  };
}

/** What the checks judge. */
export function checkInputOf(evidence: Evidence, dataPlane: DataPlaneReading, now: Date): CheckInput {
  const { provider } = providerOf(providerSignalsOf(evidence, dataPlane));
  return {
    evidence,
    dataPlane,
    provider,
    minor: clusterMinorOf(evidence),
    kubeProxyMinors: sortedMinors(
      dataPlane.running.flatMap((instance) => minorOfInstance(instance, evidence) ?? []),
    ),
    kubeletMinors: sortedMinors(kubeletMinorsOf(observedValue(evidence.nodes) ?? [])),
    now,
  };
}

function sortedMinors(minors: readonly string[]): string[] {
  return [...new Set(minors)].toSorted(compareMinor);
}

/** The data plane as the scan's JSON shows it, without what it was concluded from. */
function contractOf(reading: DataPlaneReading): DataPlane {
  const { mode, effectiveMode, observedMode, replacedBy, managedBy, otherIpvsUsers, willStart } = reading;
  const { scheduler, strictARP, nodePortAddresses, featureGates, sources, ignored } = reading;
  return {
    mode,
    effectiveMode,
    observedMode,
    replacedBy,
    managedBy,
    otherIpvsUsers,
    willStart,
    scheduler,
    strictARP,
    nodePortAddresses,
    featureGates,
    sources,
    ignored,
  };
}
