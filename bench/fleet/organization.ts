import type { ApiServer } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import type { FakeCluster, FakeFleet } from "../../test/fakes/aws/fleet.ts";

export const HUB = "000000000001";

export interface Size {
  accounts: number;
  regions: number;
  clusters: number;
}

/** Clusters of the demo that stand for all others, each behind one API server. */
const STAND_INS = ["payments-prod-eu", "checkout-staging", "data-nftables", "search-unset-old"];

/** An organization of that size: clusters are spread over accounts and Regions, as evenly as numbers allow. */
export async function simulatedOrganization(
  size: Size,
): Promise<{ fleet: FakeFleet; servers: ApiServer[]; close(): Promise<void> }> {
  const demo = readDemoFleet().filter(({ name }) => STAND_INS.includes(name));
  const servers = await Promise.all(
    demo.map(({ objects, logs, gitVersion }) =>
      startApiServer({
        objects,
        logs,
        version: { gitVersion },
        users: {},
        anonymous: "none",
        authenticate: (token) =>
          token.startsWith("k8s-aws-v1.") ? { name: "proxy-audit", rules: "all" } : undefined,
      }),
    ),
  );
  const regions = Array.from({ length: size.regions }, (_, index) => `eu-sim-${index + 1}`);
  const accounts = Array.from({ length: size.accounts }, (_, index) => ({
    id: String(100_000_000_000 + index),
    tags: { team: `team-${index % 50}` },
    regions: Object.fromEntries(
      regions.map((region): [string, { clusters: FakeCluster[] }] => [region, { clusters: [] }]),
    ),
  }));
  for (let index = 0; index < size.clusters; index += 1) {
    const account = accounts[index % accounts.length];
    const region = regions[Math.floor(index / accounts.length) % regions.length] ?? "";
    const server = servers[index % servers.length];
    if (account === undefined || server === undefined) continue;
    account.regions[region]?.clusters.push({
      name: `cluster-${index}`,
      version: "1.35",
      endpoint: server.url,
      ca: server.ca,
      tags: { environment: index % 3 === 0 ? "prod" : "test" },
      addon: { addonVersion: "v1.35.3-eksbuild.2", configurationValues: '{"mode":"ipvs"}' },
      nodegroups: ["a", "b"].map((group) => ({
        nodegroupName: group,
        amiType: "AL2023_x86_64_STANDARD",
        releaseVersion: "1.35.6-20260714",
        version: "1.35",
        desiredSize: 3,
      })),
    });
  }
  return {
    fleet: { hub: HUB, accounts },
    servers,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
