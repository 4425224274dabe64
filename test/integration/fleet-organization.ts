import type { ApiServer } from "#src/demo/api-server/options.ts";
import { startApiServer } from "#src/demo/api-server/start-api-server.ts";
import { readDemoFleet } from "#src/demo/fleet-folder.ts";
import type { FakeCluster, FakeFleet } from "../fakes/aws/fleet.ts";

export const HUB = "000000000001";
export const PAYMENTS = "111111111111";
export const LOCKED = "222222222222";
export const SEARCH = "333333333333";

export interface ServedFleet {
  fleet: FakeFleet;
  servers: ReadonlyMap<string, ApiServer>;
  /** For PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS: EKS's own names are not served here. */
  hosts: string;
  close(): Promise<void>;
}

/**
 * Twelve clusters in three accounts and two Regions, the public ones served by the demo's API servers: one private,
 * one that throttles, one deleted between list and describe, one whose API server is gone, one in an account that
 * denies the role, one in a Region that a policy denies.
 */
export async function serveOrganization(): Promise<ServedFleet> {
  const demo = new Map(readDemoFleet().map((cluster) => [cluster.name, cluster]));
  const servers = new Map<string, ApiServer>();

  async function served(name: string, account: string, from: string): Promise<FakeCluster> {
    const source = demo.get(from);
    if (source === undefined) throw new Error(`the demo has no ${from}`);
    const server = await startApiServer({
      objects: source.objects,
      logs: source.logs,
      version: { gitVersion: source.gitVersion },
      users: {},
      anonymous: "none",
      authenticate: (token) =>
        accountOfToken(token) === account ? { name: "proxy-audit", rules: "all" } : undefined,
    });
    servers.set(name, server);
    return {
      name,
      version: "1.35",
      endpoint: server.url,
      ca: server.ca,
      tags: { team: source.team, environment: source.environment },
      addon: { addonVersion: "v1.35.3-eksbuild.2", configurationValues: '{"mode":"ipvs"}' },
    };
  }

  const lost = await served("lost", SEARCH, "payments-prod-eu");
  await servers.get("lost")?.close();
  const fleet: FakeFleet = {
    hub: HUB,
    accounts: [
      {
        id: PAYMENTS,
        tags: { team: "payments", cost: "42" },
        regions: {
          "eu-west-1": {
            clusters: [
              await served("shop", PAYMENTS, "payments-prod-eu"),
              await served("data", PAYMENTS, "data-nftables"),
              await served("web", PAYMENTS, "checkout-staging"),
              await served("busy", PAYMENTS, "payments-prod-us"),
              {
                name: "vault",
                version: "1.34",
                private: true,
                addon: { addonVersion: "v1.34.6-eksbuild.2", configurationValues: '{"mode":"ipvs"}' },
                nodegroups: [
                  {
                    nodegroupName: "nodes",
                    amiType: "AL2023_x86_64_STANDARD",
                    releaseVersion: "1.34.9-20260714",
                    version: "1.34",
                    desiredSize: 3,
                  },
                ],
              },
              { name: "gone", version: "1.34", deletedAfterListing: true },
            ],
          },
          "us-east-1": {
            clusters: [
              await served("edge", PAYMENTS, "payments-prod-us"),
              await served("auto", PAYMENTS, "search-unset-old"),
            ],
          },
        },
      },
      {
        id: LOCKED,
        trustsHub: false,
        regions: { "eu-west-1": { clusters: [{ name: "hidden", version: "1.35" }] } },
      },
      {
        id: SEARCH,
        regions: {
          "eu-west-1": { clusters: [await served("plain", SEARCH, "payments-prod-eu"), lost] },
          "us-east-1": { closed: "policy", clusters: [{ name: "walled", version: "1.35" }] },
        },
      },
    ],
  };
  return {
    fleet,
    servers,
    hosts: [...servers.values()].map(({ port }) => `127.0.0.1:${port}`).join(","),
    close: async () => {
      await Promise.all([...servers].map(([name, server]) => (name === "lost" ? undefined : server.close())));
    },
  };
}

/** The account that a cluster's token was signed in, by its access key; the fake's keys name their account. */
function accountOfToken(token: string): string | undefined {
  const [, encoded = ""] = /^k8s-aws-v1\.([\w-]+)$/.exec(token) ?? [];
  const text = Buffer.from(encoded, "base64url").toString("utf8");
  if (!URL.canParse(text)) return undefined;
  const credential = new URL(text).searchParams.get("X-Amz-Credential") ?? "";
  return /^ASIA(\d{12})/.exec(credential)?.[1];
}
