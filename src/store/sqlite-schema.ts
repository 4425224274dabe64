import type { DatabaseSync } from "node:sqlite";
import { ProxyAuditError } from "#src/model/errors.ts";

/**
 * Forward migrations: entry n brings a file from version n to n + 1. Entries are never edited once released,
 * only added. Bodies are JSON, read back through zod; columns are what is searched by.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE latest (
    cluster_id TEXT PRIMARY KEY, audited_at TEXT NOT NULL,
    team TEXT, environment TEXT, provider TEXT NOT NULL, account TEXT, region TEXT, mode TEXT NOT NULL,
    body TEXT NOT NULL, open TEXT NOT NULL
  ) STRICT;
  CREATE INDEX latest_by_team ON latest (team, cluster_id);
  CREATE TABLE history (
    cluster_id TEXT NOT NULL, audited_at TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (cluster_id, audited_at)
  ) STRICT;
  CREATE TABLE changes (
    at TEXT NOT NULL, cluster_id TEXT NOT NULL, sequence INTEGER NOT NULL,
    team TEXT, environment TEXT, provider TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (at, cluster_id, sequence)
  ) STRICT;
  CREATE TABLE waivers (
    cluster_id TEXT NOT NULL, id TEXT NOT NULL, expires_at TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (cluster_id, id)
  ) STRICT;
  CREATE TABLE approvals (
    cluster_id TEXT NOT NULL, id TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (cluster_id, id)
  ) STRICT;
  CREATE TABLE subscriptions (
    team TEXT NOT NULL, channel TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (team, channel)
  ) STRICT;
  CREATE TABLE digests (
    team TEXT NOT NULL, iso_week TEXT NOT NULL, claimed_at TEXT NOT NULL, sent_at TEXT,
    PRIMARY KEY (team, iso_week)
  ) STRICT;
  CREATE TABLE runs (id TEXT PRIMARY KEY, started_at TEXT NOT NULL, closed_at TEXT) STRICT;
  CREATE TABLE run_marks (
    run_id TEXT NOT NULL, cluster_id TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (run_id, cluster_id)
  ) STRICT;
  CREATE TABLE rollups (
    team TEXT NOT NULL, date TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (team, date)
  ) STRICT;
  `,
  `
  DROP TABLE digests;
  CREATE TABLE digests (
    team TEXT NOT NULL, channel TEXT NOT NULL, iso_week TEXT NOT NULL, claimed_at TEXT NOT NULL, sent_at TEXT,
    PRIMARY KEY (team, channel, iso_week)
  ) STRICT;
  CREATE TABLE once (key TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
  CREATE TABLE approval_requests (
    id TEXT PRIMARY KEY, created_at TEXT NOT NULL, body TEXT NOT NULL, decision TEXT
  ) STRICT;
  `,
  "ALTER TABLE run_marks ADD COLUMN begun_at TEXT",
];

/**
 * Brings a file to the newest schema. Throws `store-unavailable` for a file that a newer proxy-audit wrote and
 * for another program's database, both of which stay as they are.
 */
export function migrate(database: DatabaseSync, path: string): void {
  // Two processes may open a new file at once: the version is read and raised under one write lock.
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = schemaVersion(database, path);
    if (version > MIGRATIONS.length) {
      throw new ProxyAuditError(
        "store-unavailable",
        `The store ${path} was written by a newer proxy-audit (schema ${version}, this one knows ${MIGRATIONS.length}): update proxy-audit, or use another file with --store.`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    if (version < MIGRATIONS.length) {
      database.prepare("UPDATE schema_version SET version = ?").run(MIGRATIONS.length);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function schemaVersion(database: DatabaseSync, path: string): number {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0) {
    database.exec(
      "CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT; INSERT INTO schema_version VALUES (0)",
    );
    return 0;
  }
  if (!tables.some((table) => table.name === "schema_version")) {
    throw new ProxyAuditError(
      "store-unavailable",
      `${path} is a database of another program: name another file with --store.`,
    );
  }
  return Number(database.prepare("SELECT version FROM schema_version").get()?.version);
}
