import { z } from "zod";
import { approvalState } from "#src/commands/approve.ts";
import { waiverRows } from "#src/commands/waive.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { MILESTONES, parseTarget } from "#src/verdict/targets.ts";
import { type ClusterJson, clusterJson } from "./cluster-json.ts";
import type { ConsoleFleet, FleetKind, Fleets } from "./console-fleet.ts";
import { eventStream } from "./event-stream.ts";
import { fleetJson } from "./fleet-json.ts";
import { parsed, type Route } from "./http.ts";
import { printable } from "./printable.ts";
import type { ScanJobs } from "./scan-jobs.ts";

export interface StateJson {
  fleet: { kind: FleetKind; label: string };
  kinds: readonly FleetKind[];
  /** The scan that runs now. */
  scan: string | null;
  now: string;
}

export interface SourceJson {
  id: string;
  label: string;
  clusters: { id: string; name: string }[];
  /** Why its clusters are not known. */
  problem: string | null;
}

export interface DecisionsJson {
  waivers: (ClusterJson["waivers"][number] & { cluster: string })[];
  approvals: (ClusterJson["approvals"][number] & { cluster: string })[];
}

const HISTORY_WEEKS = 26;
const DAY_MS = 86_400_000;
const fleetSchema = z.object({ kind: z.enum(["own", "demo"]) });
const scanSchema = z.object({ clusters: z.array(z.string()).min(1).max(10_000) });

/** The fleet's part of the API. */
export function fleetRoutes(options: { fleets: Fleets; jobs: ScanJobs; now: () => Date }): Route[] {
  const { fleets, jobs, now } = options;
  const store = () => fleets.current().store;
  const state = (): StateJson => {
    const { kind, label } = fleets.current();
    const scan = jobs.running()?.id ?? null;
    return {
      fleet: { kind, label },
      kinds: fleets.kinds,
      scan,
      now: now().toISOString(),
    };
  };

  return [
    { method: "GET", path: /^\/api\/state$/, answer: () => ({ json: printable(state()) }) },
    {
      method: "POST",
      path: /^\/api\/fleet$/,
      async answer({ body }) {
        const fleet = await fleets.show(parsed(fleetSchema, body).kind);
        if (fleet.kind === "demo" && (await isEmpty(fleet)) && jobs.running() === undefined) {
          jobs.start(fleet, await clustersOf(fleet));
        }
        return { json: printable(state()) };
      },
    },
    {
      method: "GET",
      path: /^\/api\/fleet$/,
      answer: async ({ url }) => ({
        json: printable(await fleetJson(store(), targetIn(url) ?? MILESTONES[0], now())),
      }),
    },
    {
      method: "GET",
      path: /^\/api\/clusters\/([^/]+)$/,
      answer: async ({ url, parts }) => ({
        json: printable(await clusterJson(store(), parts[0] ?? "", targetIn(url), now())),
      }),
    },
    {
      method: "GET",
      path: /^\/api\/history$/,
      async answer({ url }) {
        const team = url.searchParams.get("team");
        const from = new Date(now().getTime() - HISTORY_WEEKS * 7 * DAY_MS).toISOString().slice(0, 10);
        const rollups = await store().rollups({ from, to: now().toISOString().slice(0, 10), team });
        return { json: printable({ rollups }) };
      },
    },
    {
      method: "GET",
      path: /^\/api\/decisions$/,
      async answer() {
        const audits = await Array.fromAsync(store().latestAll());
        const byId = new Map(audits.map((audit) => [audit.id, audit]));
        const named = (id: string) => byId.get(id)?.name ?? id;
        const [waivers, approvals] = await Promise.all([store().waivers(), store().approvals()]);
        const json: DecisionsJson = {
          waivers: waiverRows(waivers, audits, now()).map((row) => ({
            ...row,
            cluster: named(row.waiver.clusterId),
          })),
          approvals: approvals.map((approval) => ({
            approval,
            state: approvalState(approval, byId.get(approval.clusterId), now()),
            cluster: named(approval.clusterId),
          })),
        };
        return { json: printable(json) };
      },
    },
    {
      method: "GET",
      path: /^\/api\/sources$/,
      answer: async () => ({
        json: printable({ sources: await Promise.all(fleets.current().sources.map(sourceJson)) }),
      }),
    },
    {
      method: "POST",
      path: /^\/api\/scans$/,
      async answer({ body }) {
        const wanted = new Set(parsed(scanSchema, body).clusters);
        const fleet = fleets.current();
        const clusters = (await clustersOf(fleet)).filter(({ id }) => wanted.has(id));
        if (clusters.length === 0) {
          throw new ProxyAuditError(
            "not-found",
            "none of these clusters can be scanned from here: they are in no kubeconfig that the console was started with.",
          );
        }
        return { json: { id: jobs.start(fleet, clusters).id }, status: 202 };
      },
    },
    {
      method: "GET",
      path: /^\/api\/scans\/(\d+)\/events$/,
      answer({ parts, closed }) {
        const job = jobs.find(parts[0] ?? "");
        if (job === undefined) throw new ProxyAuditError("not-found", "no such scan.");
        return eventStream(closed, (send, end) =>
          job.watch((event) => {
            send(event);
            // After this turn: `watch` may still be telling the past.
            if (event.type === "finished" || event.type === "failed") setImmediate(end);
          }),
        );
      },
    },
  ];
}

function targetIn(url: URL): string | null {
  const target = url.searchParams.get("target");
  return target === null || target === "" ? null : parseTarget(target);
}

async function isEmpty(fleet: ConsoleFleet): Promise<boolean> {
  for await (const _ of fleet.store.latestAll()) return false;
  return true;
}

/** What can be scanned into a fleet. A source that cannot tell does not hide the others. */
export async function clustersOf(fleet: ConsoleFleet): Promise<InventoryCluster[]> {
  const found = await Promise.allSettled(fleet.sources.map((source) => source.clusters()));
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

async function sourceJson(source: ConsoleFleet["sources"][number]): Promise<SourceJson> {
  const { id, label } = source;
  try {
    const clusters = (await source.clusters()).map((cluster) => ({ id: cluster.id, name: cluster.name }));
    return { id, label, clusters, problem: null };
  } catch (error) {
    if (!(error instanceof ProxyAuditError)) throw error;
    return { id, label, clusters: [], problem: error.message };
  }
}
