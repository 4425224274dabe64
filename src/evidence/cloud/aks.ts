import { z } from "zod";

/** What `az aks show` says about kube-proxy: the provider's intent, which the pods may not have taken up. */
export interface AksEvidence {
  kubernetesVersion: string | null;
  enabled: boolean;
  /** In kube-proxy's own spelling: `ipvs`, `iptables`, `nftables`; null where none was chosen. */
  mode: string | null;
  /** In the kernel's spelling: `lc`, `rr`. */
  scheduler: string | null;
  networkDataplane: string | null;
}

const SCHEDULERS: Record<string, string> = { leastconnection: "lc", roundrobin: "rr" };

/** The answer of `az aks show` (Azure's managedClusters resource), at the top or under `properties`. */
const networkProfile = z.object({
  networkDataplane: z.string().nullish(),
  kubeProxyConfig: z
    .object({
      enabled: z.boolean().nullish(),
      mode: z.string().nullish(),
      ipvsConfig: z.object({ scheduler: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

const managedCluster = z.object({
  kubernetesVersion: z.string().nullish(),
  currentKubernetesVersion: z.string().nullish(),
  networkProfile,
});

export const aksAnswer = z
  .union([managedCluster, z.object({ properties: managedCluster }).transform((answer) => answer.properties)])
  .transform((cluster): AksEvidence => {
    const config = cluster.networkProfile.kubeProxyConfig;
    const scheduler = config?.ipvsConfig?.scheduler ?? null;
    return {
      kubernetesVersion: cluster.currentKubernetesVersion ?? cluster.kubernetesVersion ?? null,
      enabled: config?.enabled ?? true,
      mode: config?.mode?.toLowerCase() ?? null,
      scheduler: scheduler === null ? null : (SCHEDULERS[scheduler.toLowerCase()] ?? scheduler),
      networkDataplane: cluster.networkProfile.networkDataplane ?? null,
    };
  });
