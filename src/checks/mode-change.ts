import { observedValue } from "#src/model/observed.ts";
import type { CheckInput } from "./check.ts";

/** Where the mode of a cluster is set so that it lasts, the command or step that sets it, and what can undo it. */
export interface ModeChange {
  where: string;
  how: string;
  undoneBy: string | null;
}

/** As the cluster's provider has it. On EKS it depends on whether kube-proxy is an add-on. */
export function modeChangeOf(input: CheckInput, mode: "nftables" | "iptables"): ModeChange {
  const { provider, evidence } = input;
  const how = provider.change.replaceAll("{mode}", mode).replaceAll("CLUSTER", evidence.cluster.name);
  const { undoneBy } = provider;
  if (provider.id !== "eks") return { where: provider.modeSetIn, how, undoneBy };
  const addon = isEksAddon(input);
  if (addon === null) return { where: provider.modeSetIn, how, undoneBy };
  if (addon) return { where: "the kube-proxy add-on's configuration values", how, undoneBy };
  return {
    where: "ConfigMap kube-system/kube-proxy-config, key config (kube-proxy is no EKS add-on here)",
    how:
      `kubectl -n kube-system edit configmap kube-proxy-config: set mode: ${mode}; then kubectl -n kube-system rollout ` +
      "restart daemonset kube-proxy",
    undoneBy: null,
  };
}

/** By the EKS API, otherwise by who wrote the ConfigMap; null where neither tells. */
export function isEksAddon({ evidence }: CheckInput): boolean | null {
  const { addon } = evidence.eks;
  if (addon.seen !== false) return true;
  if (addon.why === "absent") return false;
  const read = evidence.configMaps.get("kube-system/kube-proxy-config");
  const configMap = read === undefined ? undefined : observedValue(read);
  return configMap?.managers.some((manager) => /^eks/i.test(manager)) ? true : null;
}
