import { z } from "zod";
import { sortableInstant } from "./instant.ts";
import { FINAL_RUN_OUTCOMES, RUN_OUTCOMES, rollupSchema } from "./records.ts";
import { decoded, type StoreFile, withStore } from "./sqlite-database.ts";
import type { RunStore } from "./store.ts";

/** The key of the whole fleet's roll-up; a team cannot have an empty name. */
const FLEET = "";

const runRow = z.object({ id: z.string(), started_at: z.string(), closed_at: z.string().nullable() });
const markRows = z.array(
  z.object({ cluster_id: z.string(), outcome: z.enum(RUN_OUTCOMES), reason: z.string() }),
);
const begunRow = z.object({ outcome: z.enum(RUN_OUTCOMES), begun_at: z.string() });
const FINAL = FINAL_RUN_OUTCOMES.map((outcome) => `'${outcome}'`).join(", ");

export function sqliteRuns(file: StoreFile): RunStore {
  return {
    startRun: (id, at) =>
      withStore(file, (database) => {
        database
          .prepare("INSERT OR IGNORE INTO runs (id, started_at) VALUES (?, ?)")
          .run(id, sortableInstant(at));
      }),
    markRun: (id, { clusterId, outcome, at, reason }) =>
      withStore(file, (database) => {
        // The queue delivers more than once and out of order: a success is final, the first failure's reason
        // gives way to a later one, and "expected" never hides what happened.
        database
          .prepare(
            `INSERT INTO run_marks (run_id, cluster_id, outcome, reason, at) VALUES ($run, $cluster, $outcome, $reason, $at)
             ON CONFLICT (run_id, cluster_id) DO UPDATE SET outcome = $outcome, reason = $reason, at = $at, begun_at = NULL
             WHERE $outcome <> 'expected' AND outcome NOT IN (${FINAL})`,
          )
          .run({
            $run: id,
            $cluster: clusterId,
            $outcome: outcome,
            $reason: reason ?? "",
            $at: sortableInstant(at),
          });
      }),
    beginInRun: (id, clusterId, at) =>
      withStore(file, (database) => {
        database
          .prepare(
            `INSERT INTO run_marks (run_id, cluster_id, outcome, reason, at, begun_at) VALUES ($run, $cluster, 'expected', '', $at, $at)
             ON CONFLICT (run_id, cluster_id) DO UPDATE SET begun_at = coalesce(begun_at, $at)
             WHERE outcome NOT IN (${FINAL})`,
          )
          .run({ $run: id, $cluster: clusterId, $at: sortableInstant(at) });
        const row = database
          .prepare(
            "SELECT outcome, coalesce(begun_at, at) AS begun_at FROM run_marks WHERE run_id = ? AND cluster_id = ?",
          )
          .get(id, clusterId);
        const { outcome, begun_at } = begunRow.parse(row);
        return { outcome, begunAt: begun_at };
      }),
    closeRun: (id, at) =>
      withStore(file, (database) => {
        database
          .prepare("UPDATE runs SET closed_at = ? WHERE id = ? AND closed_at IS NULL")
          .run(sortableInstant(at), id);
      }),
    run: (id) =>
      withStore(file, (database) => {
        const row = database.prepare("SELECT id, started_at, closed_at FROM runs WHERE id = ?").get(id);
        if (row === undefined) return undefined;
        const { started_at, closed_at } = runRow.parse(row);
        const marks = markRows.parse(
          database
            .prepare("SELECT cluster_id, outcome, reason FROM run_marks WHERE run_id = ? ORDER BY cluster_id")
            .all(id),
        );
        const clusters = (outcome: string) => marks.filter((mark) => mark.outcome === outcome);
        const endings = (outcome: string) =>
          clusters(outcome).map((mark) => ({ clusterId: mark.cluster_id, reason: mark.reason }));
        return {
          id,
          startedAt: started_at,
          closedAt: closed_at,
          pending: clusters("expected").map((mark) => mark.cluster_id),
          done: clusters("done").map((mark) => mark.cluster_id),
          partial: endings("partial"),
          skipped: endings("skipped"),
          failed: endings("failed"),
        };
      }),
    putRollup: (rollup) =>
      withStore(file, (database) => {
        const body = JSON.stringify(rollupSchema.parse(rollup));
        database
          .prepare("INSERT OR REPLACE INTO rollups (team, date, body) VALUES (?, ?, ?)")
          .run(rollup.team ?? FLEET, rollup.date, body);
      }),
    rollups: ({ from, to, team }) =>
      withStore(file, (database) =>
        database
          .prepare("SELECT date, body FROM rollups WHERE team = ? AND date BETWEEN ? AND ? ORDER BY date")
          .all(team ?? FLEET, from, to)
          .map((row) => decoded(file, rollupSchema, row.body, `the roll-up of ${row.date}`)),
      ),
  };
}
