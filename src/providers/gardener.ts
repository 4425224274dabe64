import { matchOf, type Provider } from "./provider.ts";

export const gardener: Provider = {
  id: "gardener",
  name: "Gardener",
  recognise: (signals) =>
    matchOf("node label", signals.nodeLabels, /^worker\.gardener\.cloud\//) ??
    matchOf("kube-proxy label", signals.kubeProxyLabels, /gardener/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "the Shoot's spec.kubernetes.kubeProxy.mode",
  change:
    "kubectl patch shoot CLUSTER with spec.kubernetes.kubeProxy.mode (IPVS, IPTables or NFTables, here {mode})",
  undoneBy: "Gardener's resource manager undoes edits of the DaemonSets and ConfigMaps",
  kubeProxyUpgrade: "with-nodes",
  source: "https://github.com/gardener/gardener/blob/master/pkg/component/kubernetes/proxy/resources.go",
  confidence: "high",
};
