import { mkdir } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { ProxyAuditError } from "#src/model/errors.ts";
import { openSqliteStore } from "./sqlite.ts";
import type { FindingStore } from "./store.ts";

export interface StoreEnvironment {
  XDG_STATE_HOME?: string | undefined;
  HOME?: string | undefined;
}

/**
 * The store a command works with: the file named, `null` for `"none"`, or the file in the user's state folder,
 * which is made if need be. Throws `store-unavailable`: a command that can go on without remembering says so
 * and goes on.
 */
export async function openStore(options: {
  path?: string;
  env: StoreEnvironment;
}): Promise<FindingStore | null> {
  if (options.path === "none") return null;
  if (options.path !== undefined) return openSqliteStore(options.path);
  const path = defaultStorePath(options.env);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ProxyAuditError(
      "store-unavailable",
      `The folder of the store ${path} cannot be made: name a file with --store, or go without with --store none.`,
      { cause: error },
    );
  }
  return openSqliteStore(path);
}

/** `$XDG_STATE_HOME/proxy-audit/store.sqlite`; the XDG specification says to ignore a relative value. */
function defaultStorePath(env: StoreEnvironment): string {
  if (env.XDG_STATE_HOME !== undefined && isAbsolute(env.XDG_STATE_HOME)) {
    return join(env.XDG_STATE_HOME, "proxy-audit", "store.sqlite");
  }
  if (env.HOME === undefined || env.HOME === "") {
    throw new ProxyAuditError(
      "store-unavailable",
      "There is no place for the store, as neither XDG_STATE_HOME nor HOME is set: name a file with --store, or go without with --store none.",
    );
  }
  return join(env.HOME, ".local", "state", "proxy-audit", "store.sqlite");
}
