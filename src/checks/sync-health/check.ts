import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { ProxyMetrics } from "#src/evidence/prometheus/metrics.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, missing, unknownFinding } from "../findings.ts";
import { standingOf } from "../modes.ts";

/** A change that has waited this long for a sync is not just being worked on. */
const STALE_SECONDS = 5 * 60;

interface Symptom {
  what: string;
  title(instances: string): string;
  meaning: string;
  fix: string;
  /** The series that shows it and its value; null where there is nothing. */
  shown(metrics: ProxyMetrics, nowSeconds: number): { series: string; value: string } | null;
}

const SYMPTOMS: readonly Symptom[] = [
  {
    what: "nftables-sync-failures",
    title: (instances) => `nftables syncs fail on ${instances}`,
    meaning:
      "kube-proxy could not write its rules: the node serves Services as they were at the last sync that worked, or not at all.",
    fix: "Read why in the log of an affected kube-proxy: kubectl -n kube-system logs POD | grep 'nftables sync failed'. A segmentation fault means that the host's nft is too new for the image; \"No such file or directory\" that the kernel lacks NFT_FIB.",
    shown: ({ parsed }) =>
      counter("kubeproxy_sync_proxy_rules_nftables_sync_failures_total", parsed.nftablesSyncFailures),
  },
  {
    what: "nftables-cleanup-failures",
    title: (instances) => `nftables clean-ups fail on ${instances}`,
    meaning:
      "Chains of Services that are gone stay behind. It does no harm at once, but every sync reads them.",
    fix: "Read why in the log of an affected kube-proxy: kubectl -n kube-system logs POD | grep -i nftables.",
    shown: ({ parsed }) =>
      counter("kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total", parsed.nftablesCleanupFailures),
  },
  {
    what: "iptables-restore-failures",
    title: (instances) => `iptables-restore fails on ${instances}`,
    meaning: "kube-proxy could not write its iptables rules, in iptables or ipvs mode.",
    fix: "Read why in the log of an affected kube-proxy: kubectl -n kube-system logs POD | grep 'Failed to execute iptables-restore'.",
    shown: ({ parsed }) =>
      counter("kubeproxy_sync_proxy_rules_iptables_restore_failures_total", parsed.iptablesRestoreFailures),
  },
  {
    what: "stale-sync",
    title: (instances) => `Changes wait for a sync on ${instances}`,
    meaning: `A change of Services or endpoints was queued after the last sync, and no sync came for more than ${STALE_SECONDS / 60} minutes.`,
    fix: "Look at the log and the CPU of an affected kube-proxy: kubectl -n kube-system logs POD --tail=50. In nftables mode compare with the number of Services: a sync may be that slow.",
    shown: ({ parsed: { lastSyncSeconds, lastQueuedSeconds } }, nowSeconds) =>
      lastSyncSeconds !== null &&
      lastQueuedSeconds !== null &&
      lastQueuedSeconds > lastSyncSeconds &&
      nowSeconds - lastSyncSeconds > STALE_SECONDS
        ? {
            series: "kubeproxy_sync_proxy_rules_last_timestamp_seconds",
            value: `${Math.round((nowSeconds - lastSyncSeconds) / 60)} minutes ago`,
          }
        : null,
  },
];

/** Failed and stale syncs, by kube-proxy's own metrics; nothing else in the API shows them. */
export const syncHealth: Check = {
  id: "sync-health",
  title: "kube-proxy's syncs",
  about: "hygiene",
  canBlock: null,
  evidence: ["kube-proxy's metrics in Prometheus"],
  permissions: ["a Prometheus that scrapes kube-proxy (--prometheus URL)"],
  judge(input) {
    const { metrics, cluster } = input.evidence;
    if (standingOf(input).kind === "replaced" && (metrics.seen === false || metrics.value.length === 0)) {
      return [replaced(input)];
    }
    if (metrics.seen === false) {
      return [
        unknownFinding(syncHealth, input, {
          title: "Whether kube-proxy's syncs succeed was not read",
          detail: `${cluster.name}: only kube-proxy's own metrics tell.`,
          unread: metrics,
          facts: ["sync-metrics"],
          what: "unread",
        }),
      ];
    }
    const proxies = metrics.value.filter(({ parsed }) => parsed.mode !== "kernelspace");
    const findings = SYMPTOMS.flatMap((symptom) => symptomOf(input, symptom, proxies));
    return findings.length > 0 ? findings : [nothingFound(input, proxies)];
  },
};

function symptomOf(input: CheckInput, symptom: Symptom, proxies: readonly ProxyMetrics[]): Finding[] {
  const nowSeconds = input.now.getTime() / 1_000;
  const shown = proxies.flatMap((metrics) => {
    const found = symptom.shown(metrics, nowSeconds);
    return found === null ? [] : [{ ...found, instance: metrics.instance }];
  });
  if (shown.length === 0) return [];
  const all = counted(proxies.length, "kube-proxy", "kube-proxies");
  return [
    finding(syncHealth, input, {
      status: "warning",
      title: symptom.title(`${shown.length} of ${all}`),
      detail: `${input.evidence.cluster.name}: ${symptom.meaning} Counters count from each kube-proxy's start.`,
      evidence: shown.slice(0, 10).map(({ instance, series, value }) => ({
        source: input.evidence.metrics.source,
        path: `${instance} ${series}`,
        excerpt: value,
      })),
      fix: symptom.fix,
      subjects: shown.map(({ instance }) => instance),
      facts: ["sync-metrics"],
      what: symptom.what,
    }),
  ];
}

/** A pass only where every node's kube-proxy was read and has synced. */
function nothingFound(input: CheckInput, proxies: readonly ProxyMetrics[]): Finding {
  const { metrics, nodes, cluster } = input.evidence;
  const silent = proxies.filter(({ parsed }) => parsed.lastSyncSeconds === null && parsed.mode === null);
  const wanted = nodes.seen === true ? kubeProxyNodesOf(input.evidence).length : null;
  const read = proxies.length - silent.length;
  const evidence = proxies.slice(0, 5).map(({ instance }) => ({
    source: metrics.source,
    path: instance,
    excerpt: "no failed sync",
  }));
  if (read === 0 || metrics.seen !== true || wanted === null || read < wanted) {
    const of = wanted === null ? "an unknown number of nodes" : counted(wanted, "node");
    const unread =
      metrics.seen === "partial"
        ? metrics
        : missing(`metrics of ${counted(read, "kube-proxy", "kube-proxies")} for ${of}`, metrics.source);
    return unknownFinding(syncHealth, input, {
      title: `No failed sync on the ${counted(read, "kube-proxy", "kube-proxies")} whose metrics were read`,
      detail: `${cluster.name}: the others were not read.`,
      unread,
      facts: ["sync-metrics"],
      what: "partly-read",
    });
  }
  return finding(syncHealth, input, {
    status: "pass",
    title: `No failed and no stale sync on ${counted(read, "kube-proxy", "kube-proxies")}`,
    detail: `${cluster.name}: since each kube-proxy's start.`,
    evidence,
    facts: ["sync-metrics"],
    what: "healthy",
  });
}

function replaced(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  return finding(syncHealth, input, {
    status: "pass",
    title: `${dataPlane.replacedBy} replaces kube-proxy: there are no syncs`,
    detail: `${evidence.cluster.name} runs no kube-proxy.`,
    evidence: dataPlane.replacements.map((replacement) => replacement.evidence),
    what: "replaced",
  });
}

function counter(series: string, value: number | null): { series: string; value: string } | null {
  return value === null || value === 0 ? null : { series, value: String(value) };
}
