import { rollUp } from "#src/commands/roll-up.ts";
import { scanClusters } from "#src/commands/scan.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { VerdictWord } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { plain } from "#src/report/text.ts";
import { worstVerdict } from "#src/report/verdict-text.ts";
import type { ConsoleFleet } from "./console-fleet.ts";

/** What a page that watches a scan is told, in this order: one `started`, an `audited` each, one end. */
export type ScanEvent =
  | { type: "started"; clusters: { id: string; name: string }[] }
  | {
      type: "audited";
      id: string;
      name: string;
      reachable: boolean;
      /** Why it was not reached. */
      why: string | null;
      worst: VerdictWord;
      mode: string;
    }
  | { type: "finished"; audited: number; notReached: number }
  | { type: "failed"; message: string };

export interface ScanJob {
  id: string;
  events: readonly ScanEvent[];
  ended(): boolean;
  /** Past events at once, then each as it comes. Returns what ends the watching. */
  watch(listener: (event: ScanEvent) => void): () => void;
}

export interface ScanJobs {
  start(fleet: ConsoleFleet, clusters: readonly InventoryCluster[]): ScanJob;
  find(id: string): ScanJob | undefined;
  running(): ScanJob | undefined;
}

const CONCURRENCY = 8;
const TIMEOUT_MS = 60_000;
const LOGS = 3;

/**
 * Scans that were started from the page; one at a time, since they share the network and the store.
 *
 * @param afterwards done when a scan's audits are stored, before it counts as finished
 */
export function scanJobs(now: () => Date, afterwards: (fleet: ConsoleFleet) => Promise<void>): ScanJobs {
  const jobs: ScanJob[] = [];
  const running = () => jobs.find((job) => !job.ended());
  return {
    running,
    find: (id) => jobs.find((job) => job.id === id),
    start(fleet, clusters) {
      if (running() !== undefined) {
        throw new ProxyAuditError("usage", "a scan is running: wait until it has finished.");
      }
      const { job, tell } = newJob(String(jobs.length + 1));
      jobs.push(job);
      tell({ type: "started", clusters: clusters.map(({ id, name }) => ({ id, name: plain(name) })) });
      void scan(fleet, clusters, { now, tell, afterwards });
      return job;
    },
  };
}

function newJob(id: string): { job: ScanJob; tell: (event: ScanEvent) => void } {
  const events: ScanEvent[] = [];
  const ended = () => ["finished", "failed"].includes(events.at(-1)?.type ?? "");
  const listeners = new Set<(event: ScanEvent) => void>();
  const job: ScanJob = {
    id,
    events,
    ended,
    watch(listener) {
      for (const event of events) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    job,
    tell(event) {
      // A scan that failed may still hear from clusters that were being read.
      if (ended()) return;
      events.push(event);
      for (const listener of listeners) listener(event);
    },
  };
}

async function scan(
  fleet: ConsoleFleet,
  clusters: readonly InventoryCluster[],
  options: {
    now: () => Date;
    tell: (event: ScanEvent) => void;
    afterwards: (fleet: ConsoleFleet) => Promise<void>;
  },
): Promise<void> {
  try {
    const result = await scanClusters(clusters, {
      now: options.now,
      targets: [],
      concurrency: CONCURRENCY,
      timeoutMs: TIMEOUT_MS,
      logs: LOGS,
      store: fleet.store,
      onAudited(audit) {
        const [why] = audit.unread;
        options.tell({
          type: "audited",
          id: audit.id,
          name: plain(audit.name),
          reachable: audit.reachable,
          why: audit.reachable || why === undefined ? null : plain(`${why.why}: ${why.detail}`),
          worst: worstVerdict(audit),
          mode: audit.dataPlane.replacedBy ?? audit.dataPlane.mode,
        });
      },
    });
    await rollUp(fleet.store, { now: options.now(), waivers: await fleet.store.waivers() });
    await options.afterwards(fleet);
    const reached = result.clusters.filter((audit) => audit.reachable).length;
    options.tell({ type: "finished", audited: reached, notReached: result.clusters.length - reached });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    options.tell({ type: "failed", message: plain(message) });
  }
}
