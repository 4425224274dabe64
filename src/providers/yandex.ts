import { matchOf, type Provider } from "./provider.ts";

export const yandex: Provider = {
  id: "yandex",
  name: "Yandex Managed Kubernetes",
  recognise: (signals) => matchOf("node label", signals.nodeLabels, /^yandex\.cloud\//),
  kubeProxyRunBy: "customer",
  modeChange: "unknown",
  modeSetIn: "the managed cluster's network settings",
  change: "ask Yandex how to set {mode} for this cluster",
  undoneBy: null,
  kubeProxyUpgrade: "with-nodes",
  source: "public node listings",
  confidence: "low",
};
