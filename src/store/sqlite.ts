import { sqliteAudits } from "./sqlite-audits.ts";
import { openStoreFile } from "./sqlite-database.ts";
import { sqliteDecisions } from "./sqlite-decisions.ts";
import { sqliteDigests } from "./sqlite-digests.ts";
import { sqliteInteractions } from "./sqlite-interactions.ts";
import { sqliteRuns } from "./sqlite-runs.ts";
import type { FindingStore } from "./store.ts";

/**
 * The store of one machine: one SQLite file, shared by the processes of that machine. The folder must exist.
 * Throws `store-unavailable` for a file that cannot be opened, created, read or written, naming it;
 * `unsupported-node` where Node has no SQLite.
 */
export async function openSqliteStore(path: string): Promise<FindingStore> {
  const file = openStoreFile(path);
  return {
    ...sqliteAudits(file),
    ...sqliteDecisions(file),
    ...sqliteDigests(file),
    ...sqliteInteractions(file),
    ...sqliteRuns(file),
    close: async () => {
      if (file.database.isOpen) file.database.close();
    },
  };
}
