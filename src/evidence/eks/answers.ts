import { z } from "zod";
import { minorOf, parseKubeVersion } from "#src/kubernetes/version.ts";
import type {
  EksAddon,
  EksAddonSchema,
  EksCluster,
  EksInsight,
  EksNodegroup,
  EksVersionSupport,
} from "./evidence.ts";

/**
 * The EKS API's answers, as the SDK returns them and as `aws eks describe-...` prints them: the same names in
 * both, dates as text or as Date.
 */
const date = z.union([z.string(), z.number(), z.date()]).transform((value) => {
  const parsed = typeof value === "number" ? new Date(value * 1_000) : new Date(value);
  return Number.isNaN(parsed.getTime()) ? String(value) : parsed.toISOString();
});

export const eksClusterAnswer = z
  .object({
    cluster: z.object({
      name: z.string(),
      version: z.string().default(""),
      platformVersion: z.string().nullish(),
      status: z.string().default(""),
      computeConfig: z.object({ enabled: z.boolean().nullish() }).nullish(),
      remoteNetworkConfig: z.unknown().optional(),
      upgradePolicy: z.object({ supportType: z.string().nullish() }).nullish(),
      resourcesVpcConfig: z.object({ endpointPublicAccess: z.boolean().nullish() }).nullish(),
      tags: z.record(z.string(), z.string()).nullish(),
    }),
  })
  .transform(
    ({ cluster }): EksCluster => ({
      name: cluster.name,
      version: cluster.version,
      platformVersion: cluster.platformVersion ?? null,
      status: cluster.status,
      autoMode: cluster.computeConfig?.enabled ?? false,
      hybridNodes: cluster.remoteNetworkConfig != null,
      supportType: cluster.upgradePolicy?.supportType ?? null,
      endpointPublic: cluster.resourcesVpcConfig?.endpointPublicAccess ?? null,
      tags: cluster.tags ?? {},
    }),
  );

export const eksAddonAnswer = z
  .object({
    addon: z.object({
      addonName: z.string(),
      addonVersion: z.string().default(""),
      status: z.string().default(""),
      configurationValues: z.string().nullish(),
      health: z
        .object({
          issues: z.array(z.object({ code: z.string().nullish(), message: z.string().nullish() })).nullish(),
        })
        .nullish(),
    }),
  })
  .transform(({ addon }): { name: string; addon: EksAddon } => ({
    name: addon.addonName,
    addon: {
      addonVersion: addon.addonVersion,
      status: addon.status,
      configurationValues: addon.configurationValues ?? null,
      issues: (addon.health?.issues ?? []).map((issue) => issue.code ?? issue.message ?? "issue"),
    },
  }));

const modeEnum = z.object({
  properties: z.object({ mode: z.object({ enum: z.array(z.string()) }).partial() }).partial(),
});

/** The schema is JSON text: `$ref` into `definitions.KubeProxy` in the builds seen so far. */
function modesOf(configurationSchema: string): string[] | null {
  let schema: unknown;
  try {
    schema = JSON.parse(configurationSchema);
  } catch {
    return null;
  }
  const definitions = z.object({ definitions: z.record(z.string(), z.unknown()) }).safeParse(schema);
  const candidates = [schema, ...(definitions.success ? Object.values(definitions.data.definitions) : [])];
  for (const candidate of candidates) {
    const parsed = modeEnum.safeParse(candidate);
    if (parsed.success && parsed.data.properties.mode?.enum) return parsed.data.properties.mode.enum;
  }
  return null;
}

export const eksAddonConfigurationAnswer = z
  .object({
    addonName: z.literal("kube-proxy"),
    addonVersion: z.string(),
    configurationSchema: z.string(),
  })
  .transform(({ addonVersion, configurationSchema }): EksAddonSchema => {
    const version = parseKubeVersion(addonVersion);
    return {
      addonVersion,
      kubernetesVersion: version ? minorOf(version) : "",
      modes: modesOf(configurationSchema),
    };
  });

export const eksNodegroupAnswer = z
  .object({
    nodegroup: z.object({
      nodegroupName: z.string(),
      amiType: z.string().default("CUSTOM"),
      releaseVersion: z.string().nullish(),
      version: z.string().nullish(),
      status: z.string().default(""),
      scalingConfig: z.object({ desiredSize: z.number().nullish() }).nullish(),
    }),
  })
  .transform(
    ({ nodegroup }): EksNodegroup => ({
      name: nodegroup.nodegroupName,
      amiType: nodegroup.amiType,
      releaseVersion: nodegroup.releaseVersion ?? null,
      version: nodegroup.version ?? null,
      desiredSize: nodegroup.scalingConfig?.desiredSize ?? null,
      status: nodegroup.status,
    }),
  );

export const eksClusterVersionsAnswer = z
  .object({
    clusterVersions: z.array(
      z.object({
        clusterVersion: z.string(),
        releaseDate: date.nullish(),
        endOfStandardSupportDate: date.nullish(),
        endOfExtendedSupportDate: date.nullish(),
      }),
    ),
  })
  .transform(({ clusterVersions }): EksVersionSupport[] =>
    clusterVersions.map((row) => ({
      version: row.clusterVersion,
      releaseDate: row.releaseDate ?? null,
      endOfStandard: row.endOfStandardSupportDate ?? null,
      endOfExtended: row.endOfExtendedSupportDate ?? null,
    })),
  );

/** One page of `DescribeAddonVersions`: the builds' names. */
export const eksAddonVersionsAnswer = z
  .object({
    addons: z
      .array(
        z.object({
          addonName: z.string(),
          addonVersions: z.array(z.object({ addonVersion: z.string() })).default([]),
        }),
      )
      .default([]),
  })
  .transform(({ addons }): string[] =>
    addons
      .filter(({ addonName }) => addonName === "kube-proxy")
      .flatMap(({ addonVersions }) => addonVersions.map(({ addonVersion }) => addonVersion)),
  );

/** One page of `ListInsights`. */
export const eksInsightsAnswer = z
  .object({
    insights: z
      .array(
        z.object({
          name: z.string().default(""),
          category: z.string().default(""),
          kubernetesVersion: z.string().nullish(),
          insightStatus: z.object({ status: z.string().default(""), reason: z.string().nullish() }).nullish(),
        }),
      )
      .default([]),
  })
  .transform(({ insights }): EksInsight[] =>
    insights.map(({ name, category, kubernetesVersion, insightStatus }) => ({
      name,
      category,
      status: insightStatus?.status ?? "UNKNOWN",
      kubernetesVersion: kubernetesVersion ?? null,
      reason: insightStatus?.reason ?? null,
    })),
  );

/** One page of `ListNodegroups`. */
export const eksNodegroupNamesAnswer = z
  .object({ nodegroups: z.array(z.string()).default([]) })
  .transform(({ nodegroups }) => nodegroups);
