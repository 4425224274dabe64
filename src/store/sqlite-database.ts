import type { DatabaseSync } from "node:sqlite";
import type { z } from "zod";
import { ProxyAuditError } from "#src/model/errors.ts";
import { migrate } from "./sqlite-schema.ts";

export interface StoreFile {
  database: DatabaseSync;
  path: string;
}

/** How long a write waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file, or creates it in a folder that exists. Throws `store-unavailable`, naming the path, and
 * `unsupported-node` where Node has no SQLite of its own.
 */
export function openStoreFile(path: string): StoreFile {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    migrate(database, path);
    // After migrate: the journal mode is written into the file, which must be known to be ours by then.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return { database, path };
  } catch (error) {
    database?.close();
    throw storeError(error, path);
  }
}

/** Runs one piece of database work; what SQLite throws becomes `store-unavailable` with the path. */
export async function withStore<T>(file: StoreFile, work: (database: DatabaseSync) => T): Promise<T> {
  try {
    return work(file.database);
  } catch (error) {
    throw storeError(error, file.path);
  }
}

/** The same under one write lock: all of it is stored, or nothing. */
export async function withTransaction<T>(file: StoreFile, work: (database: DatabaseSync) => T): Promise<T> {
  return withStore(file, (database) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work(database);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk has rolled back already.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
}

/**
 * A stored JSON text as the type it was stored as. Throws `store-unavailable` when it does not have that
 * shape: leaving it out would make a cluster, or a waiver, disappear without a word.
 */
export function decoded<T>(file: StoreFile, schema: z.ZodType<T>, text: unknown, what: string): T {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch (error) {
    throw new ProxyAuditError(
      "store-unavailable",
      `The store ${file.path} holds ${what} in a form that cannot be read: store it again, or start a new file with --store.`,
      { cause: error },
    );
  }
}

/**
 * Node's SQLite. Looked up rather than imported, so that a Node without it can be told apart from every other
 * failure. Up to Node 22, loading it emits "ExperimentalWarning: SQLite is an experimental feature", which says
 * nothing to the person at the terminal; the lookup is synchronous, so no other warning can be caught by this.
 */
function loadSqlite(): typeof import("node:sqlite") {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new ProxyAuditError(
    "unsupported-node",
    `Node ${process.versions.node} has no built-in SQLite: use Node 22.19 or newer, or go without a store with --store none.`,
  );
}

// https://www.sqlite.org/rescode.html
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  5: "another process is writing to it and does not finish",
  6: "another process is writing to it and does not finish",
  8: "it cannot be written",
  10: "the disk answers with an error",
  11: "the file is damaged",
  13: "the disk is full",
  14: "it cannot be opened or created there",
  26: "the file is not a proxy-audit store, or it is damaged",
};

function storeError(error: unknown, path: string): unknown {
  if (error instanceof ProxyAuditError) return error;
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  // The low byte is the primary result code; SQLITE_READONLY_DIRECTORY is 8 + (6 << 8).
  const reason = SQLITE_REASONS[Number(error.errcode) & 0xff] ?? error.message;
  return new ProxyAuditError(
    "store-unavailable",
    `The store ${path} is not available: ${reason}. Nothing was changed; name another file with --store, or go without with --store none.`,
    { cause: error },
  );
}
