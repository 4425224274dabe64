import { describe, expect, it } from "vitest";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { collectEks } from "#src/evidence/eks/collect.ts";
import type { EksEvidence } from "#src/evidence/eks/evidence.ts";
import { resolveCluster } from "#src/inventory/aws/resolve-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { FakeFault, FakeFleet } from "../../fakes/aws/fleet.ts";
import { PAYMENTS, smallOrganization } from "../../fakes/aws/organization.ts";
import type { AwsServer } from "../../fakes/aws-server.ts";
import { accessTo, NOW, REQUEST } from "../../inventory/aws/with-aws.ts";

const at = NOW.toISOString();

async function clusterOf(
  fleet: FakeFleet,
  name: string,
  region = "eu-west-1",
): Promise<{ cluster: InventoryCluster; aws: AwsServer }> {
  const { access, aws } = await accessTo(fleet, { externalId: "secret-id", requestTimeoutMs: 300 });
  const published = createEksPublished();
  const ref = { account: PAYMENTS, region, name };
  const { cluster } = await resolveCluster(access, ref, { ...REQUEST, published, accountTags: {} });
  if (cluster === null) throw new Error(`${name} was not resolved`);
  return { cluster, aws };
}

async function evidenceOf(name: string, faults: readonly FakeFault[] = []): Promise<EksEvidence> {
  const { cluster, aws } = await clusterOf(smallOrganization(), name);
  if (cluster.eks === undefined) throw new Error("no access to the EKS API");
  aws.setFaults(faults);
  return collectEks(cluster.eks);
}

describe("what the EKS API says about a cluster", () => {
  it("is its add-on, node groups and insights, and what EKS publishes", async () => {
    const evidence = await evidenceOf("shop");
    expect(evidence).toEqual({
      cluster: {
        seen: true,
        value: {
          name: "shop",
          version: "1.35",
          platformVersion: "eks.7",
          status: "ACTIVE",
          autoMode: false,
          hybridNodes: false,
          supportType: "EXTENDED",
          endpointPublic: true,
          tags: { Team: "shop", environment: "prod" },
        },
        source: { kind: "eks", ref: `DescribeCluster (${PAYMENTS}/eu-west-1/shop)`, at },
      },
      addon: {
        seen: true,
        value: {
          addonVersion: "v1.35.3-eksbuild.2",
          status: "ACTIVE",
          configurationValues: '{"mode":"ipvs"}',
          issues: [],
        },
        source: { kind: "eks", ref: "DescribeAddon kube-proxy (eu-west-1/shop)", at },
      },
      nodegroups: {
        seen: true,
        value: [
          {
            name: "old",
            amiType: "AL2_x86_64",
            releaseVersion: "1.32.9-20251120",
            version: "1.32",
            desiredSize: 2,
            status: "ACTIVE",
          },
        ],
        source: { kind: "eks", ref: "ListNodegroups (eu-west-1/shop)", at },
      },
      insights: {
        seen: true,
        value: [
          {
            name: "kube-proxy version skew",
            category: "UPGRADE_READINESS",
            status: "PASSING",
            kubernetesVersion: "1.36",
            reason: "kube-proxy versions match the cluster control plane version.",
          },
        ],
        source: { kind: "eks", ref: "ListInsights (eu-west-1/shop)", at },
      },
      addonSchemas: {
        seen: true,
        // The newest build of each minor, by number: 13 is newer than 2, and 25 than 9.
        value: [
          {
            addonVersion: "v1.35.3-eksbuild.13",
            kubernetesVersion: "1.35",
            modes: ["iptables", "ipvs", "nftables"],
          },
          {
            addonVersion: "v1.36.0-eksbuild.25",
            kubernetesVersion: "1.36",
            modes: ["iptables", "ipvs", "nftables"],
          },
        ],
        source: { kind: "eks", ref: "DescribeAddonConfiguration kube-proxy", at },
      },
      versions: {
        seen: true,
        value: [
          version("1.36", "2026-06-02", "2027-08-02", "2028-08-02"),
          version("1.35", "2026-01-27", "2027-03-27", "2028-03-27"),
          version("1.34", "2025-10-02", "2026-12-02", "2027-12-02"),
        ],
        source: { kind: "eks", ref: "DescribeClusterVersions", at },
      },
    });
  });

  it("shows a self-managed kube-proxy as an add-on that is absent", async () => {
    const { addon } = await evidenceOf("vault");
    expect(addon).toMatchObject({ seen: false, why: "absent" });
  });

  it("does not show a cluster that is gone as one with a self-managed kube-proxy", async () => {
    const fleet = smallOrganization();
    const { cluster } = await clusterOf(fleet, "shop");
    const region = fleet.accounts.find(({ id }) => id === PAYMENTS)?.regions["eu-west-1"];
    if (region) region.clusters = [];
    const { addon } = cluster.eks ? await collectEks(cluster.eks) : { addon: undefined };
    expect(addon).toMatchObject({ seen: false, why: "invalid" });
  });

  it.each([
    ["DescribeAddon", "addon"],
    ["ListNodegroups", "nodegroups"],
    ["ListInsights", "insights"],
    ["DescribeAddonVersions", "addonSchemas"],
    ["DescribeAddonConfiguration", "addonSchemas"],
    ["DescribeClusterVersions", "versions"],
  ] as const)("lacks, where %s is denied, that part only, with the reason", async (operation, part) => {
    const evidence = await evidenceOf("shop", [{ operation, kind: "deny" }]);
    const { [part]: denied, ...others } = evidence;
    expect(denied).toMatchObject({
      seen: false,
      why: "forbidden",
      detail: expect.stringContaining(`eks:${operation}`),
    });
    expect(Object.values(others).map(({ seen }) => seen)).toEqual([true, true, true, true, true]);
  });

  it.each([
    ["throttle", "throttled"],
    ["error", "unreachable"],
    ["hang", "timeout"],
    ["web-page", "invalid"],
  ] as const)("is unread, not empty or absent, where calls end with %s", async (kind, why) => {
    const { addon, nodegroups } = await evidenceOf("shop", [
      { operation: "DescribeAddon", kind },
      { operation: "ListNodegroups", kind },
    ]);
    for (const part of [addon, nodegroups]) expect(part).toMatchObject({ seen: false, why });
  });

  it("is read in part where one of the node groups cannot be", async () => {
    const { nodegroups } = await evidenceOf("shop", [{ operation: "DescribeNodegroup", kind: "deny" }]);
    expect(nodegroups).toMatchObject({ seen: "partial", value: [], why: "forbidden" });
  });

  it("is asked for once where it is the same for all clusters", async () => {
    const { cluster, aws } = await clusterOf(smallOrganization(), "shop");
    if (cluster.eks === undefined) throw new Error("no access to the EKS API");
    await Promise.all([collectEks(cluster.eks), collectEks(cluster.eks)]);
    await collectEks(cluster.eks);
    const count = (wanted: string) => aws.calls.filter(({ operation }) => operation === wanted).length;
    expect({
      // Two pages each: they are kept, not read again for the next cluster.
      addonVersions: count("DescribeAddonVersions"),
      addonConfiguration: count("DescribeAddonConfiguration"),
      clusterVersions: count("DescribeClusterVersions"),
      addon: count("DescribeAddon"),
    }).toEqual({ addonVersions: 2, addonConfiguration: 2, clusterVersions: 2, addon: 3 });
  });
});

function version(minor: string, release: string, standard: string, extended: string) {
  const midnight = (day: string) => `${day}T00:00:00.000Z`;
  return {
    version: minor,
    releaseDate: midnight(release),
    endOfStandard: midnight(standard),
    endOfExtended: midnight(extended),
  };
}
