import { approvalSchema, waiverSchema } from "#src/model/waiver.ts";
import { sortableInstant } from "./instant.ts";
import { decoded, type StoreFile, withStore } from "./sqlite-database.ts";
import type { DecisionStore } from "./store.ts";

export function sqliteDecisions(file: StoreFile): DecisionStore {
  const rows = (
    table: "waivers" | "approvals",
    order: string,
    filter: { clusterId?: string; activeAt?: string },
  ) =>
    withStore(file, (database) =>
      database
        .prepare(
          `SELECT cluster_id, body FROM ${table}
           WHERE ($cluster IS NULL OR cluster_id = $cluster) AND ($at IS NULL OR expires_at > $at)
           ORDER BY ${order}, cluster_id, id`,
        )
        .all({
          $cluster: filter.clusterId ?? null,
          $at: filter.activeAt === undefined ? null : sortableInstant(filter.activeAt),
        }),
    );

  return {
    putWaiver: (waiver) =>
      withStore(file, (database) => {
        const body = JSON.stringify(waiverSchema.parse(waiver));
        database
          .prepare("INSERT OR REPLACE INTO waivers (cluster_id, id, expires_at, body) VALUES (?, ?, ?, ?)")
          .run(waiver.clusterId, waiver.id, sortableInstant(waiver.expiresAt), body);
      }),
    waivers: async (filter = {}) =>
      (await rows("waivers", "expires_at", filter)).map((row) =>
        decoded(file, waiverSchema, row.body, `a waiver for ${row.cluster_id}`),
      ),
    removeWaiver: (clusterId, id) =>
      withStore(
        file,
        (database) =>
          database.prepare("DELETE FROM waivers WHERE cluster_id = ? AND id = ?").run(clusterId, id).changes >
          0,
      ),
    putApproval: (approval) =>
      withStore(file, (database) => {
        const body = JSON.stringify(approvalSchema.parse(approval));
        database
          .prepare(
            `INSERT OR REPLACE INTO approvals (cluster_id, id, created_at, expires_at, body)
             VALUES (?, ?, ?, ?, ?)`,
          )
          .run(
            approval.clusterId,
            approval.id,
            sortableInstant(approval.createdAt),
            sortableInstant(approval.expiresAt),
            body,
          );
      }),
    approvals: async (filter = {}) =>
      (await rows("approvals", "created_at DESC", filter)).map((row) =>
        decoded(file, approvalSchema, row.body, `an approval for ${row.cluster_id}`),
      ),
  };
}
