import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import { notSeen, type Observed, seen } from "#src/model/observed.ts";
import {
  eksAddonAnswer,
  eksAddonConfigurationAnswer,
  eksClusterAnswer,
  eksClusterVersionsAnswer,
  eksNodegroupAnswer,
} from "../eks/answers.ts";
import {
  type EksAddonSchema,
  type EksEvidence,
  type EksNodegroup,
  eksNotRequested,
} from "../eks/evidence.ts";
import { type AksEvidence, aksAnswer } from "./aks.ts";
import { type ConfigzEvidence, configzAnswer } from "./configz.ts";

export interface CloudEvidence {
  eks: EksEvidence;
  aks: Observed<AksEvidence>;
  configz: Observed<ConfigzEvidence>;
}

/** What dumped answers of cloud APIs say; everything that no document answers stays `not-requested`. */
export function cloudEvidenceOf(documents: readonly ManifestDocument[], at: string): CloudEvidence {
  const eks = { ...eksNotRequested(at) };
  const evidence: CloudEvidence = {
    eks,
    aks: notSeen("not-requested", "no AKS answer was given", { kind: "manifest", ref: "az aks show", at }),
    configz: notSeen("not-requested", "no /configz answer was given", {
      kind: "manifest",
      ref: "/configz",
      at,
    }),
  };
  const schemas: EksAddonSchema[] = [];
  const nodegroups: EksNodegroup[] = [];
  for (const { value, file } of documents) {
    const source = { kind: "manifest", ref: file, at } as const;
    const addon = eksAddonAnswer.safeParse(value);
    if (addon.success && addon.data.name === "kube-proxy") eks.addon = seen(addon.data.addon, source);
    const cluster = eksClusterAnswer.safeParse(value);
    if (cluster.success) eks.cluster = seen(cluster.data, source);
    const versions = eksClusterVersionsAnswer.safeParse(value);
    if (versions.success) eks.versions = seen(versions.data, source);
    const schema = eksAddonConfigurationAnswer.safeParse(value);
    if (schema.success) {
      schemas.push(schema.data);
      eks.addonSchemas = seen(schemas, source);
    }
    const nodegroup = eksNodegroupAnswer.safeParse(value);
    if (nodegroup.success) {
      nodegroups.push(nodegroup.data);
      eks.nodegroups = seen(nodegroups, source);
    }
    const aks = aksAnswer.safeParse(value);
    if (aks.success) evidence.aks = seen(aks.data, source);
    const configz = configzAnswer.safeParse(value);
    if (configz.success) evidence.configz = seen(configz.data, source);
  }
  return evidence;
}
