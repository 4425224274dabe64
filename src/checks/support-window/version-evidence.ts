import type { EvidenceItem } from "#src/model/finding.ts";
import type { CheckInput } from "../check.ts";

/** What told the cluster's version: the API server, the EKS API, or the kubelets. */
export function versionEvidence({ evidence }: CheckInput, minor: string): EvidenceItem {
  const read = [evidence.version, evidence.eks.cluster, evidence.aks].find((one) => one.seen !== false);
  return { source: (read ?? evidence.nodes).source, path: "Kubernetes version", excerpt: minor };
}
