import type { ProxyMode } from "#src/model/cluster-audit.ts";
import type { EvidenceItem } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Evidence } from "../evidence.ts";

/** A mode that was seen running, by what showed it. */
export interface ModeObservation {
  mode: ProxyMode;
  evidence: EvidenceItem;
}

/**
 * What was seen running, beside what is configured: kube-proxy's own answer, the start of its log, an
 * IPVSDeprecation event, the set of its metrics. Nothing seen proves nothing: logs rotate and events live an hour.
 */
export function modeObservationsOf(evidence: Evidence): ModeObservation[] {
  const observations: ModeObservation[] = [];
  for (const { namespace, pod, mode } of observedValue(evidence.proxyModes) ?? []) {
    if (mode === "kernelspace") continue;
    observations.push({
      mode,
      evidence: {
        source: evidence.proxyModes.source,
        path: `/proxyMode of ${namespace}/${pod}`,
        excerpt: mode,
      },
    });
  }
  for (const log of observedValue(evidence.proxyLogs) ?? []) {
    if (log.parsed.runningMode === null || log.parsed.runningMode === "kernelspace") continue;
    observations.push({
      mode: log.parsed.runningMode,
      evidence: {
        source: evidence.proxyLogs.source,
        path: `log of ${log.namespace}/${log.pod}`,
        excerpt: `Using ${log.parsed.runningMode} Proxier`,
      },
    });
  }
  for (const event of (observedValue(evidence.ipvsEvents) ?? []).slice(0, 20)) {
    observations.push({
      mode: "ipvs",
      evidence: {
        source: evidence.ipvsEvents.source,
        path: `Event about Node ${event.about}`,
        excerpt: event.reason,
      },
    });
  }
  for (const { instance, parsed } of observedValue(evidence.metrics) ?? []) {
    if (parsed.mode === null || parsed.mode === "kernelspace") continue;
    observations.push({
      mode: parsed.mode,
      evidence: {
        source: evidence.metrics.source,
        path: instance,
        excerpt: `metrics of ${parsed.mode} mode`,
      },
    });
  }
  return observations;
}

/** The one mode that was seen running; `mixed` where nodes differ, null where nothing showed it. */
export function observedModeOf(observations: readonly ModeObservation[]): ProxyMode | null {
  const modes = new Set(observations.map((observation) => observation.mode));
  const [mode] = modes;
  return modes.size > 1 ? "mixed" : (mode ?? null);
}
