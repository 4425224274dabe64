import type { CheckInput } from "./check.ts";

/** Where the mode of a cluster is set so that it lasts, and the command or step that sets it. */
export interface ModeChange {
  where: string;
  how: string;
}

/** As the cluster's provider has it. On EKS a kube-proxy that is no add-on is changed in its ConfigMap. */
export function modeChangeOf(input: CheckInput, mode: "nftables" | "iptables"): ModeChange {
  const { provider, evidence } = input;
  const { addon } = evidence.eks;
  if (provider.id === "eks" && addon.seen === false && addon.why === "absent") {
    return {
      where: "ConfigMap kube-system/kube-proxy-config, key config (kube-proxy is no EKS add-on here)",
      how:
        `kubectl -n kube-system edit configmap kube-proxy-config: set mode: ${mode}; then kubectl -n kube-system rollout ` +
        "restart daemonset kube-proxy",
    };
  }
  const how = provider.change.replaceAll("{mode}", mode).replaceAll("CLUSTER", evidence.cluster.name);
  return { where: provider.modeSetIn, how };
}
