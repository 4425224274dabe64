import { rollUp } from "#src/commands/roll-up.ts";
import { clusterRefOf } from "#src/inventory/aws/cluster-ref.ts";
import type { Run } from "#src/store/records.ts";
import type { FindingStore } from "#src/store/store.ts";
import { recentRunIds } from "./run-id.ts";
import { type RunSummary, summaryOf } from "./summary.ts";
import type { Telemetry } from "./telemetry.ts";

export interface CloseOptions {
  store: Pick<FindingStore, "run" | "closeRun" | "latestAll" | "removeCluster" | "waivers" | "putRollup">;
  /** A run that is not complete after this long is closed as partial. */
  runHours: number;
  telemetry: Telemetry;
  now: () => Date;
}

/**
 * Closes the runs that are complete or due: takes clusters that are gone out of the fleet, adds up the day, and
 * says what is missing. Closing again after a crash does the same again.
 */
export async function closeDueRuns(options: CloseOptions): Promise<RunSummary[]> {
  const { store, telemetry, now } = options;
  const closed: RunSummary[] = [];
  for (const id of recentRunIds(now())) {
    const run = await store.run(id);
    if (run === undefined || run.closedAt !== null) continue;
    const dueAt = Date.parse(run.startedAt) + options.runHours * 3_600_000;
    if (run.pending.length > 0 && now().getTime() < dueAt) continue;
    const gone = await removeGone(run, store);
    await rollUp(store, { now: now(), waivers: await store.waivers() });
    await store.closeRun(id, now().toISOString());
    const summary = summaryOf(run);
    telemetry.count("RunPartial", summary.state === "partial" ? 1 : 0);
    telemetry[summary.state === "partial" ? "warn" : "info"]("run closed", { ...summary, gone });
    closed.push(summary);
  }
  return closed;
}

/**
 * Takes out clusters that this run would have found if they were there: their account and Region were read to the
 * end. Returns their ids.
 */
async function removeGone(
  run: Run,
  store: Pick<FindingStore, "latestAll" | "removeCluster">,
): Promise<string[]> {
  const read = new Set(run.done);
  const found = new Set([
    ...run.done,
    ...run.pending,
    ...[...run.partial, ...run.skipped, ...run.failed].map(({ clusterId }) => clusterId),
  ]);
  const gone: string[] = [];
  for await (const { id } of store.latestAll()) {
    const ref = clusterRefOf(id);
    if (ref === null || found.has(id)) continue;
    if (read.has(ref.account) && read.has(`${ref.account}/${ref.region}`)) gone.push(id);
  }
  for (const id of gone) await store.removeCluster(id);
  return gone;
}
