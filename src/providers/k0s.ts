import { matchOf, type Provider } from "./provider.ts";

export const k0s: Provider = {
  id: "k0s",
  name: "k0s",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /\+k0s/) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /\+k0s/) ??
    matchOf("kube-proxy image", signals.kubeProxyImages, /k0sproject\/kube-proxy/) ??
    matchOf("node label", signals.nodeLabels, /^node\.k0sproject\.io\//),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "spec.network.kubeProxy.mode of the k0s cluster configuration",
  change: "set spec.network.kubeProxy.mode: {mode} in the k0s configuration and restart the controllers",
  undoneBy: "the k0s controller writes ConfigMap kube-proxy again from its configuration",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://docs.k0sproject.io/stable/configuration/, spec.network.kubeProxy",
  confidence: "high",
};
