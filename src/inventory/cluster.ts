import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import type { ManifestDocument } from "#src/kubernetes/manifests.ts";
import type { NotSeen } from "#src/model/observed.ts";

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
  /** Opens a reader; a failure to authenticate is an outcome, not an exception. */
  open(): Promise<ClusterReader | NotSeen>;
}
