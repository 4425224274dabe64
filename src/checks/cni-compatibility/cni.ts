import type { EvidenceItem } from "#src/model/finding.ts";
import type { NotSeen, PartlySeen } from "#src/model/observed.ts";

export type CniId = "vpc-cni" | "calico" | "flannel" | "cilium" | "azure-npm";

/** What rules ask of a CNI. `agent` is the version of the VPC CNI's network policy agent. */
export type SettingName =
  | "external-snat"
  | "agent"
  | "network-policy"
  | "pod-security-groups"
  | "dataplane"
  | "nftables"
  | "kube-proxy-replacement";

/** A setting as it was found. `value` null: it could not be told, `unread` says why. */
export interface Setting {
  value: string | null;
  evidence: EvidenceItem;
  unread?: NotSeen | PartlySeen<unknown>;
}

/** One CNI of the cluster: the workload that runs it, its version and the settings that rules ask for. */
export interface Cni {
  id: CniId;
  name: string;
  /** `DaemonSet kube-system/aws-node`. */
  ref: string;
  /** `1.20.4`; null where the image's tag does not tell. */
  version: string | null;
  evidence: EvidenceItem;
  settings: Partial<Record<SettingName, Setting>>;
}
