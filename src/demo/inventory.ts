import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { createHttpsReader } from "#src/kubernetes/https-reader.ts";
import type { DemoFleet } from "./start-demo-fleet.ts";

/** The running demo's clusters, to be audited like any others. Account and region are the story's, not AWS's. */
export function demoInventory(fleet: DemoFleet): InventoryCluster[] {
  return fleet.clusters.map(
    ({ name, account, region, team, environment, answers, url, ca, token, prometheus }) => ({
      id: `demo:${name}`,
      name,
      account,
      region,
      team,
      environment,
      answers,
      ...(prometheus === undefined ? {} : { prometheus: { url: new URL(prometheus.url) } }),
      open: async (limits) =>
        createHttpsReader({
          server: url,
          tls: { ca },
          headers: { authorization: `Bearer ${token}` },
          ...limits,
        }),
    }),
  );
}
