import { z } from "zod";

/**
 * kube-proxy's `/configz` on its metrics port: the configuration it runs with, defaults filled in. Up to 1.35
 * the internal Go field names (`Mode`), from 1.36 the public ones (kubernetes#136044).
 */
export interface ConfigzEvidence {
  mode: string | null;
  scheduler: string | null;
  strictARP: boolean | null;
  nodePortAddresses: string[] | null;
  featureGates: Record<string, boolean>;
}

const ipvs = z.object({
  scheduler: z.string().nullish(),
  Scheduler: z.string().nullish(),
  strictARP: z.boolean().nullish(),
  StrictARP: z.boolean().nullish(),
});
const addresses = z.array(z.string()).nullish();
const gates = z.record(z.string(), z.boolean()).nullish();

export const configzAnswer = z
  .object({
    "kubeproxy.config.k8s.io": z.object({
      mode: z.string().nullish(),
      Mode: z.string().nullish(),
      ipvs: ipvs.nullish(),
      IPVS: ipvs.nullish(),
      nodePortAddresses: addresses,
      NodePortAddresses: addresses,
      featureGates: gates,
      FeatureGates: gates,
    }),
  })
  .transform((answer): ConfigzEvidence => {
    const config = answer["kubeproxy.config.k8s.io"];
    const section = config.ipvs ?? config.IPVS;
    return {
      mode: config.mode ?? config.Mode ?? null,
      scheduler: section?.scheduler ?? section?.Scheduler ?? null,
      strictARP: section?.strictARP ?? section?.StrictARP ?? null,
      nodePortAddresses: config.nodePortAddresses ?? config.NodePortAddresses ?? null,
      featureGates: config.featureGates ?? config.FeatureGates ?? {},
    };
  });
