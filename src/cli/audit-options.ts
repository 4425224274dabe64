import { type Command, InvalidArgumentError, Option } from "commander";
import { scanClusters } from "#src/commands/scan.ts";
import type { ScanResult } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { FindingStore } from "#src/store/store.ts";
import type { CliIo } from "./io.ts";
import { startProgress } from "./progress.ts";
import { addPrometheusOptions, type PrometheusOption, withPrometheus } from "./prometheus-option.ts";
import { openSources, type SourceOptions } from "./sources.ts";

/** How clusters are read, as options of a command. */
export interface AuditOptions extends PrometheusOption {
  concurrency: number;
  timeout: number;
  deep?: boolean;
  allowPodsProxy?: boolean;
  store?: string;
}

/** kube-proxy logs read in each cluster, and with --deep. */
const LOGS = 3;
const LOGS_DEEP = 20;

export function addAuditOptions(command: Command): Command {
  return addPrometheusOptions(command)
    .addOption(new Option("--concurrency <n>", "clusters read at a time").default(8).argParser(positive))
    .addOption(
      new Option("--timeout <duration>", "for one cluster, e.g. 60s or 2m")
        .default(60_000, "60s")
        .argParser(duration),
    )
    .addOption(
      new Option("--deep", "read the logs of twenty kube-proxy pods in each cluster instead of three"),
    )
    .addOption(
      new Option(
        "--allow-pods-proxy",
        "ask kube-proxies for their running mode: needs get pods/proxy, which is more than the shipped role grants",
      ),
    )
    .addOption(
      new Option("--store <file>", "where audits are kept, or none (default: the XDG state folder)"),
    );
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("Give a whole number of 1 or more.");
  return value;
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, "": 1_000 };

function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const milliseconds = match ? Number(match[1]) * (UNITS[match[2] ?? ""] ?? 0) : 0;
  if (milliseconds <= 0) throw new InvalidArgumentError("Give a time like 60s or 2m.");
  return milliseconds;
}

/**
 * The store, or null where none is wanted or there can be none: a scan still answers, and says that nothing was
 * kept.
 */
export async function openStoreOrWarn(options: { store?: string }, io: CliIo): Promise<FindingStore | null> {
  const { openStore } = await import("#src/store/open.ts");
  try {
    return await openStore({ ...(options.store === undefined ? {} : { path: options.store }), env: io.env });
  } catch (error) {
    if (!(error instanceof ProxyAuditError) || error.code !== "store-unavailable") throw error;
    io.stderr(`proxy-audit: warning: ${error.message} The audits of this run are not kept.\n`);
    return null;
  }
}

/** The store, which must be there. */
export async function openExistingStore(options: { store?: string }, io: CliIo): Promise<FindingStore> {
  const { openStore } = await import("#src/store/open.ts");
  const store = await openStore({
    ...(options.store === undefined ? {} : { path: options.store }),
    env: io.env,
  });
  if (store) return store;
  throw new ProxyAuditError(
    "usage",
    "--store none keeps nothing to read. Give a source such as --kubeconfig, or a store.",
  );
}

/** Audits the clusters of the sources, with progress for a person at a terminal. */
export async function auditSources(
  options: SourceOptions & AuditOptions,
  io: CliIo,
  targets: readonly string[],
): Promise<ScanResult> {
  const sources = await openSources(options, io);
  const clusters = withPrometheus(sources.clusters, options);
  const store = await openStoreOrWarn(options, io);
  const progress = await startProgress(io, clusters.length);
  let storeFailure: string | null = null;
  try {
    const result = await scanClusters(clusters, {
      now: () => io.now(),
      targets,
      concurrency: options.concurrency,
      timeoutMs: options.timeout,
      logs: options.deep === true ? LOGS_DEEP : LOGS,
      podsProxy: options.allowPodsProxy === true,
      store:
        store === null
          ? null
          : {
              async putAudit(audit) {
                try {
                  return await store.putAudit(audit);
                } catch (error) {
                  storeFailure ??= error instanceof Error ? error.message : String(error);
                  return { kept: "duplicate", changes: [] };
                }
              },
            },
      onAudited: (audit) => progress.audited(audit.name),
    });
    return sources.entries === undefined ? result : { ...result, inventory: sources.entries };
  } finally {
    progress.stop();
    for (const { kind, id, status, reason } of sources.entries ?? []) {
      if (status !== "ok") io.stderr(`proxy-audit: ${kind} ${id} ${status}: ${reason}\n`);
    }
    if (storeFailure !== null) io.stderr(`proxy-audit: warning: audits were not kept: ${storeFailure}\n`);
    await store?.close();
    await sources.close();
  }
}
