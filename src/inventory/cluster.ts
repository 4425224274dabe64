import type { EksAccess } from "#src/aws/eks-access.ts";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import type { NotSeen } from "#src/model/observed.ts";

/** How long reading a cluster may take. */
export interface ReadLimits {
  /** Over all requests, in milliseconds. */
  deadlineMs?: number;
}

/** Where the metrics of a cluster are. */
interface ClusterPrometheus {
  url: URL;
  /** Labels that pick the cluster's series in a Prometheus of several clusters. */
  labels?: Readonly<Record<string, string>>;
}

/** A cluster that can be audited: who it is and how to read it. */
export interface InventoryCluster {
  /** `kubeconfig:prod-eu`, `eks:111122223333/eu-west-1/payments`, `manifests:NAME`. */
  id: string;
  name: string;
  account: string | null;
  region: string | null;
  team: string | null;
  environment: string | null;
  /** Answers of cloud APIs that came with it, such as `aws eks describe-addon`. */
  answers: readonly ManifestDocument[];
  /** How to ask the EKS API about it, for clusters that were found through AWS. */
  eks?: EksAccess;
  /** The Prometheus that scrapes its kube-proxies, where it is known to have one of its own. */
  prometheus?: ClusterPrometheus;
  /** Opens a reader; a failure to authenticate is an outcome, not an exception. */
  open(limits?: ReadLimits): Promise<ClusterReader | NotSeen>;
}
