import type { FakeFleet } from "./fleet.ts";

export const HUB = "000000000001";
export const PAYMENTS = "111111111111";
export const SEARCH = "222222222222";
export const CLOSED = "333333333333";

/** A small organization in which every ending occurs: read, skipped and failed accounts, Regions and clusters. */
export function smallOrganization(): FakeFleet {
  return {
    hub: HUB,
    accounts: [
      { id: HUB, name: "hub", regions: { "eu-west-1": { clusters: [] } } },
      {
        id: PAYMENTS,
        name: "payments",
        unit: "ou-prod",
        tags: { team: "payments" },
        externalId: "secret-id",
        regions: {
          "eu-west-1": {
            clusters: [
              {
                name: "shop",
                version: "1.35",
                tags: { Team: "shop", environment: "prod" },
                addon: { addonVersion: "v1.35.3-eksbuild.2", configurationValues: '{"mode":"ipvs"}' },
                nodegroups: [
                  {
                    nodegroupName: "old",
                    amiType: "AL2_x86_64",
                    releaseVersion: "1.32.9-20251120",
                    version: "1.32",
                    desiredSize: 2,
                  },
                ],
                insights: [
                  {
                    name: "kube-proxy version skew",
                    category: "UPGRADE_READINESS",
                    kubernetesVersion: "1.36",
                    status: "PASSING",
                    reason: "kube-proxy versions match the cluster control plane version.",
                  },
                ],
              },
              { name: "vault", version: "1.34", private: true },
              { name: "gone", version: "1.34", deletedAfterListing: true },
            ],
          },
          "us-east-1": { clusters: [{ name: "edge", version: "1.36", autoMode: true }] },
          "ap-east-1": { closed: "not-enabled", clusters: [] },
          "sa-east-1": { closed: "policy", clusters: [] },
        },
      },
      {
        id: SEARCH,
        name: "search",
        unit: "ou-prod",
        trustsHub: false,
        regions: { "eu-west-1": { clusters: [] } },
      },
      { id: CLOSED, name: "closed", unit: "ou-old", state: "SUSPENDED", regions: {} },
    ],
    versions: [
      {
        clusterVersion: "1.36",
        releaseDate: "2026-06-02",
        endOfStandardSupportDate: "2027-08-02",
        endOfExtendedSupportDate: "2028-08-02",
      },
      {
        clusterVersion: "1.35",
        releaseDate: "2026-01-27",
        endOfStandardSupportDate: "2027-03-27",
        endOfExtendedSupportDate: "2028-03-27",
      },
      {
        clusterVersion: "1.34",
        releaseDate: "2025-10-02",
        endOfStandardSupportDate: "2026-12-02",
        endOfExtendedSupportDate: "2027-12-02",
      },
    ],
  };
}
