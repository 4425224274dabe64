import { z } from "zod";
import { type ClusterAudit, clusterAuditSchema } from "#src/model/cluster-audit.ts";
import { findingChanges } from "./finding-changes.ts";
import { minutesAfter, sortableInstant } from "./instant.ts";
import { findingChangeSchema, type OpenFinding, openFindingSchema } from "./records.ts";
import { decoded, type StoreFile, withStore, withTransaction } from "./sqlite-database.ts";
import { AUDITS_KEPT_DAYS, type AuditStore, type ChangeFilter, type ClusterFilter } from "./store.ts";

const PAGE_SIZE = 200;

const openFindingsSchema = z.array(openFindingSchema);

const CLUSTER_COLUMNS = {
  team: "team",
  environment: "environment",
  provider: "provider",
  account: "account",
  region: "region",
  mode: "mode",
} as const satisfies Record<keyof ClusterFilter, string>;

const CHANGE_COLUMNS = {
  team: "team",
  environment: "environment",
  provider: "provider",
  clusterId: "cluster_id",
} as const satisfies Record<keyof ChangeFilter, string>;

/** `AND team IS ? AND mode IS ?` with its values: `IS` so that null selects the rows without one. */
function conditions<Key extends string>(
  columns: Readonly<Record<Key, string>>,
  filter: { readonly [K in Key]?: string | null | undefined },
): { sql: string; values: (string | null)[] } {
  const keys = (Object.keys(columns) as Key[]).filter((key) => filter[key] !== undefined);
  return {
    sql: keys.map((key) => ` AND ${columns[key]} IS ?`).join(""),
    values: keys.map((key) => filter[key] ?? null),
  };
}

export function sqliteAudits(file: StoreFile): AuditStore {
  const audit = (body: unknown, clusterId: string): ClusterAudit =>
    decoded(file, clusterAuditSchema, body, `an audit of ${clusterId}`);

  const putAudit: AuditStore["putAudit"] = (audit) =>
    withTransaction(file, (database) => {
      const at = sortableInstant(audit.auditedAt);
      const body = JSON.stringify(clusterAuditSchema.parse(audit));
      const added = database
        .prepare("INSERT OR IGNORE INTO history (cluster_id, audited_at, body) VALUES (?, ?, ?)")
        .run(audit.id, at, body);
      if (added.changes === 0) return { kept: "duplicate", changes: [] };

      const previous = database
        .prepare("SELECT audited_at, open FROM latest WHERE cluster_id = ?")
        .get(audit.id);
      if (previous !== undefined && String(previous.audited_at) >= at)
        return { kept: "history", changes: [] };

      const { open, changes } = findingChanges(readableOpen(previous?.open), audit);
      database
        .prepare(
          `INSERT OR REPLACE INTO latest
             (cluster_id, audited_at, team, environment, provider, account, region, mode, body, open)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          audit.id,
          at,
          audit.team,
          audit.environment,
          audit.provider,
          audit.account,
          audit.region,
          audit.dataPlane.mode,
          body,
          JSON.stringify(open),
        );
      const insertChange = database.prepare(
        `INSERT OR REPLACE INTO changes (at, cluster_id, sequence, team, environment, provider, body)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const [sequence, change] of changes.entries()) {
        insertChange.run(
          at,
          audit.id,
          sequence,
          change.team,
          change.environment,
          change.provider,
          JSON.stringify(change),
        );
      }
      // Seen from the cluster's newest audit: a store that is not written to does not forget.
      const keptFrom = minutesAfter(at, -AUDITS_KEPT_DAYS * 24 * 60);
      database.prepare("DELETE FROM history WHERE cluster_id = ? AND audited_at < ?").run(audit.id, keptFrom);
      database.prepare("DELETE FROM changes WHERE cluster_id = ? AND at < ?").run(audit.id, keptFrom);
      return { kept: "latest", changes };
    });

  async function* latestAll(filter: ClusterFilter = {}): AsyncGenerator<ClusterAudit> {
    const { sql, values } = conditions(CLUSTER_COLUMNS, filter);
    let after = "";
    while (true) {
      const rows = await withStore(file, (database) =>
        database
          .prepare(
            `SELECT cluster_id, body FROM latest WHERE cluster_id > ?${sql} ORDER BY cluster_id LIMIT ${PAGE_SIZE}`,
          )
          .all(after, ...values),
      );
      for (const row of rows) {
        after = String(row.cluster_id);
        yield audit(row.body, after);
      }
      if (rows.length < PAGE_SIZE) return;
    }
  }

  return {
    putAudit,
    latestAll,
    latest: (clusterId) =>
      withStore(file, (database) => {
        const row = database.prepare("SELECT body FROM latest WHERE cluster_id = ?").get(clusterId);
        return row === undefined ? undefined : audit(row.body, clusterId);
      }),
    history: (clusterId, { limit, since }) =>
      withStore(file, (database) =>
        database
          .prepare(
            "SELECT body FROM history WHERE cluster_id = ? AND audited_at >= ? ORDER BY audited_at DESC LIMIT ?",
          )
          .all(clusterId, since === undefined ? "" : sortableInstant(since), limit)
          .map((row) => audit(row.body, clusterId)),
      ),
    openFindings: (clusterId) =>
      withStore(file, (database) => {
        const row = database.prepare("SELECT open FROM latest WHERE cluster_id = ?").get(clusterId);
        return row === undefined
          ? []
          : decoded(file, openFindingsSchema, row.open, `the open findings of ${clusterId}`);
      }),
    changesSince: (since, filter = {}) =>
      withStore(file, (database) => {
        const { sql, values } = conditions(CHANGE_COLUMNS, filter);
        return database
          .prepare(
            `SELECT cluster_id, body FROM changes WHERE at >= ?${sql} ORDER BY at, cluster_id, sequence`,
          )
          .all(sortableInstant(since), ...values)
          .map((row) => decoded(file, findingChangeSchema, row.body, `a change of ${row.cluster_id}`));
      }),
    removeCluster: (clusterId) =>
      withStore(file, (database) => {
        database.prepare("DELETE FROM latest WHERE cluster_id = ?").run(clusterId);
      }),
  };
}

/**
 * What was open before, for the next audit. One that cannot be read counts as none: otherwise a single bad row
 * would keep its cluster from ever being stored again.
 */
function readableOpen(text: unknown): OpenFinding[] | undefined {
  if (text === undefined) return undefined;
  try {
    return openFindingsSchema.parse(JSON.parse(String(text)));
  } catch {
    return undefined;
  }
}
