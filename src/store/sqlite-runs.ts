import { z } from "zod";
import { sortableInstant } from "./instant.ts";
import { RUN_OUTCOMES, rollupSchema } from "./records.ts";
import { decoded, type StoreFile, withStore } from "./sqlite-database.ts";
import type { RunStore } from "./store.ts";

/** The key of the whole fleet's roll-up; a team cannot have an empty name. */
const FLEET = "";

const runRow = z.object({ id: z.string(), started_at: z.string(), closed_at: z.string().nullable() });
const markRows = z.array(
  z.object({ cluster_id: z.string(), outcome: z.enum(RUN_OUTCOMES), reason: z.string() }),
);

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
            `INSERT INTO run_marks (run_id, cluster_id, outcome, reason, at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (run_id, cluster_id) DO UPDATE SET outcome = ?3, reason = ?4, at = ?5
             WHERE ?3 <> 'expected' AND outcome <> 'done'`,
          )
          .run(id, clusterId, outcome, reason ?? "", sortableInstant(at));
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
        return {
          id,
          startedAt: started_at,
          closedAt: closed_at,
          pending: clusters("expected").map((mark) => mark.cluster_id),
          done: clusters("done").map((mark) => mark.cluster_id),
          failed: clusters("failed").map((mark) => ({ clusterId: mark.cluster_id, reason: mark.reason })),
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
