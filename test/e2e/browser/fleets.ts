import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConsoleFleet } from "#src/console/server/console-fleet.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";

/** A user's own fleet of which nothing is known: no audits, no kubeconfig. */
export async function emptyFleet(): Promise<ConsoleFleet> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-fleet-"));
  const store = await openSqliteStore(join(folder, "store.sqlite"));
  return {
    kind: "own",
    label: "the audits of your own scans",
    store,
    sources: [
      {
        id: "kubeconfig",
        label: "The contexts of your kubeconfig",
        async clusters() {
          throw new ProxyAuditError("invalid-kubeconfig", "cannot read ~/.kube/config: it is not there.");
        },
      },
    ],
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
