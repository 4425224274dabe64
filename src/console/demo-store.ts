import { scanClusters } from "#src/commands/scan.ts";
import { demoInventory } from "#src/demo/inventory.ts";
import { startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { AuditStore } from "#src/store/store.ts";

const OPTIONS = { targets: [], concurrency: 4, timeoutMs: 30_000, logs: 2 } as const;

/** Audits the demo fleet, or one cluster of it, into a store. The fleet is served for as long as that takes. */
export async function auditDemoFleet(
  store: Pick<AuditStore, "putAudit"> | null,
  options: { now: () => Date; only?: string },
): Promise<ClusterAudit[]> {
  const fleet = await startDemoFleet({ now: options.now });
  try {
    const clusters = demoInventory(fleet).filter(
      ({ id }) => options.only === undefined || id === options.only,
    );
    if (clusters.length === 0) {
      throw new ProxyAuditError("not-found", `${options.only} is not a cluster of the demo fleet.`);
    }
    return (await scanClusters(clusters, { ...OPTIONS, now: options.now, store })).clusters;
  } finally {
    await fleet.close();
  }
}
