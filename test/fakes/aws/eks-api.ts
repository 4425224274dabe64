import { errorAnswer, json, pageOf, type WireAnswer } from "./answers.ts";
import type { FakeCall, FakeCluster, FakeFleet, FakeRegion } from "./fleet.ts";

/** Operations of the EKS API by method and path (`aws-sdk/client-eks`, http bindings). */
const ROUTES: readonly (readonly [string, RegExp, string])[] = [
  ["GET", /^\/clusters$/, "ListClusters"],
  ["GET", /^\/clusters\/(?<name>[^/]+)$/, "DescribeCluster"],
  ["GET", /^\/clusters\/(?<name>[^/]+)\/addons$/, "ListAddons"],
  ["GET", /^\/clusters\/(?<name>[^/]+)\/addons\/(?<addonName>[^/]+)$/, "DescribeAddon"],
  ["GET", /^\/clusters\/(?<name>[^/]+)\/node-groups$/, "ListNodegroups"],
  ["GET", /^\/clusters\/(?<name>[^/]+)\/node-groups\/(?<nodegroupName>[^/]+)$/, "DescribeNodegroup"],
  ["POST", /^\/clusters\/(?<name>[^/]+)\/insights$/, "ListInsights"],
  ["GET", /^\/clusters\/(?<name>[^/]+)\/access-entries$/, "ListAccessEntries"],
  ["GET", /^\/addons\/supported-versions$/, "DescribeAddonVersions"],
  ["GET", /^\/addons\/configuration-schemas$/, "DescribeAddonConfiguration"],
  ["GET", /^\/cluster-versions$/, "DescribeClusterVersions"],
];

export function eksOperation(
  method: string,
  path: string,
): { operation: string; input: Record<string, string> } | null {
  for (const [verb, pattern, operation] of ROUTES) {
    const match = verb === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const input = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { operation, input: Object.fromEntries(input) };
  }
  return null;
}

export function eksAnswer(fleet: FakeFleet, region: FakeRegion, call: FakeCall): WireAnswer {
  const { operation, input } = call;
  if (operation === "DescribeAddonVersions") return addonVersions(fleet, input);
  if (operation === "DescribeAddonConfiguration") return addonConfiguration(fleet, input);
  if (operation === "DescribeClusterVersions") return clusterVersions(fleet, input);
  if (operation === "ListClusters") {
    const size = Math.min(Number(input.maxResults ?? 100), 100);
    const page = pageOf(
      region.clusters.map(({ name }) => name),
      input.nextToken,
      size,
    );
    return json({ clusters: page.items, ...(page.next === undefined ? {} : { nextToken: page.next }) });
  }
  const cluster = region.clusters.find(
    ({ name, deletedAfterListing }) => name === input.name && !deletedAfterListing,
  );
  if (cluster === undefined) {
    return errorAnswer(
      "rest-json",
      "ResourceNotFoundException",
      `No cluster found for name: ${input.name}.`,
      {
        clusterName: input.name ?? "",
      },
    );
  }
  return clusterAnswer(fleet, cluster, call);
}

function clusterAnswer(fleet: FakeFleet, cluster: FakeCluster, call: FakeCall): WireAnswer {
  const { operation, input, account, region } = call;
  const arn = `arn:${fleet.partition ?? "aws"}:eks:${region}:${account}:cluster/${cluster.name}`;
  switch (operation) {
    case "DescribeCluster":
      return json({
        cluster: {
          name: cluster.name,
          arn,
          createdAt: 1_767_225_600.5,
          version: cluster.version,
          status: "ACTIVE",
          platformVersion: "eks.7",
          endpoint: cluster.endpoint ?? `https://${"0".repeat(32)}.gr7.${region}.eks.amazonaws.com`,
          certificateAuthority: { data: Buffer.from(cluster.ca ?? "").toString("base64") },
          resourcesVpcConfig: {
            endpointPublicAccess: cluster.private !== true,
            endpointPrivateAccess: true,
            publicAccessCidrs: ["0.0.0.0/0"],
          },
          computeConfig: { enabled: cluster.autoMode === true },
          upgradePolicy: { supportType: "EXTENDED" },
          tags: cluster.tags ?? {},
        },
      });
    case "DescribeAddon":
      if (input.addonName !== "kube-proxy" || cluster.addon === undefined) {
        return errorAnswer(
          "rest-json",
          "ResourceNotFoundException",
          `No addon: ${input.addonName} found in cluster: ${cluster.name}`,
          { clusterName: cluster.name, addonName: input.addonName ?? "" },
        );
      }
      return json({
        addon: {
          addonName: "kube-proxy",
          clusterName: cluster.name,
          status: "ACTIVE",
          health: { issues: [] },
          ...cluster.addon,
        },
      });
    case "ListAddons":
      return json({ addons: cluster.addon === undefined ? [] : ["kube-proxy"] });
    case "ListNodegroups":
      return json({ nodegroups: (cluster.nodegroups ?? []).map(({ nodegroupName }) => nodegroupName) });
    case "DescribeNodegroup": {
      const group = cluster.nodegroups?.find(({ nodegroupName }) => nodegroupName === input.nodegroupName);
      if (group === undefined) {
        const message = `No node group found for name: ${input.nodegroupName}.`;
        return errorAnswer("rest-json", "ResourceNotFoundException", message);
      }
      const { desiredSize, ...rest } = group;
      return json({ nodegroup: { ...rest, status: "ACTIVE", scalingConfig: { desiredSize } } });
    }
    case "ListInsights":
      return json({
        insights: (cluster.insights ?? []).map(({ status, reason, ...rest }, index) => ({
          id: `insight-${index}`,
          ...rest,
          lastRefreshTime: 1_767_225_600,
          insightStatus: { status, reason },
        })),
      });
    case "ListAccessEntries":
      return json({ accessEntries: [] });
    default:
      return errorAnswer("rest-json", "InvalidRequestException", `not served: ${operation}`);
  }
}

const BUILDS: Record<string, readonly string[]> = {
  "v1.34.6-eksbuild.2": ["iptables", "ipvs"],
  "v1.35.3-eksbuild.2": ["iptables", "ipvs", "nftables"],
  "v1.35.3-eksbuild.13": ["iptables", "ipvs", "nftables"],
  "v1.36.0-eksbuild.9": ["iptables", "ipvs", "nftables"],
  "v1.36.0-eksbuild.25": ["iptables", "ipvs", "nftables"],
};

function addonVersions(fleet: FakeFleet, input: Record<string, string>): WireAnswer {
  const page = pageOf(Object.keys(fleet.builds ?? BUILDS), input.nextToken, 3);
  return json({
    addons: [
      {
        addonName: "kube-proxy",
        type: "networking",
        addonVersions: page.items.map((addonVersion) => ({ addonVersion, architecture: ["amd64", "arm64"] })),
      },
    ],
    ...(page.next === undefined ? {} : { nextToken: page.next }),
  });
}

/** As `describe-addon-configuration` has it since v1.28.8-eksbuild.5: a JSON Schema as text. */
function addonConfiguration(fleet: FakeFleet, input: Record<string, string>): WireAnswer {
  const { addonName = "", addonVersion = "" } = input;
  const modes = (fleet.builds ?? BUILDS)[addonVersion];
  if (modes === undefined) {
    return errorAnswer("rest-json", "ResourceNotFoundException", `No addon versions found: ${addonVersion}`);
  }
  const configurationSchema = JSON.stringify({
    $ref: "#/definitions/KubeProxy",
    $schema: "http://json-schema.org/draft-06/schema#",
    definitions: {
      Ipvs: { additionalProperties: false, properties: { scheduler: { type: "string" } } },
      KubeProxy: {
        additionalProperties: false,
        properties: { ipvs: { $ref: "#/definitions/Ipvs" }, mode: { enum: modes, type: "string" } },
      },
    },
  });
  return json({ addonName, addonVersion, configurationSchema });
}

function clusterVersions(fleet: FakeFleet, input: Record<string, string>): WireAnswer {
  const page = pageOf(fleet.versions ?? [], input.nextToken, 2);
  const seconds = (day: string) => new Date(day).getTime() / 1_000;
  return json({
    clusterVersions: page.items.map((row) => ({
      clusterVersion: row.clusterVersion,
      clusterType: "eks",
      releaseDate: seconds(row.releaseDate),
      endOfStandardSupportDate: seconds(row.endOfStandardSupportDate),
      endOfExtendedSupportDate: seconds(row.endOfExtendedSupportDate),
    })),
    ...(page.next === undefined ? {} : { nextToken: page.next }),
  });
}
