import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { ParsedProxyMetrics } from "#src/kubernetes/metrics.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { type NotSeen, notSeen, type PartlySeen } from "#src/model/observed.ts";

/** A counter of kube-proxy's over all nodes: only where every node's was read does a zero mean anything. */
export interface CounterReading {
  total: number;
  evidence: EvidenceItem[];
  /** Why a zero is not the whole truth; null where every node was measured. */
  incomplete: NotSeen | PartlySeen<unknown> | null;
}

/** Sums one counter that only iptables mode keeps. A series that is absent is not zero: the mode has no counter. */
export function iptablesCounter(
  evidence: Evidence,
  name: string,
  field: (metrics: ParsedProxyMetrics) => number | null,
): CounterReading {
  const { metrics } = evidence;
  if (metrics.seen === false) return { total: 0, evidence: [], incomplete: metrics };
  const read = metrics.value.flatMap(({ instance, parsed }) => {
    const count = field(parsed);
    return count === null ? [] : [{ instance, count }];
  });
  const total = read.reduce((sum, { count }) => sum + count, 0);
  const shown = read.filter(({ count }) => count > 0);
  return {
    total,
    evidence: (shown.length > 0 ? shown : read).slice(0, 5).map(({ instance, count }) => ({
      source: metrics.source,
      path: `${instance} ${name}`,
      excerpt: String(count),
    })),
    incomplete: metrics.seen === "partial" ? metrics : unmeasured(evidence, name, read.length),
  };
}

function unmeasured(
  evidence: Evidence,
  name: string,
  measured: number,
): NotSeen | PartlySeen<unknown> | null {
  if (evidence.nodes.seen !== true) return evidence.nodes;
  const nodes = kubeProxyNodesOf(evidence).length;
  if (measured >= nodes && measured > 0) return null;
  const detail = `${name} was read from ${measured} of ${nodes} ${nodes === 1 ? "node" : "nodes"} (only iptables mode keeps it)`;
  return notSeen("absent", detail, evidence.metrics.source);
}
