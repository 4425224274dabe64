import { matchOf, type Provider } from "./provider.ts";

export const tke: Provider = {
  id: "tke",
  name: "Tencent TKE",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /-tke\./) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /-tke\./),
  kubeProxyRunBy: "provider",
  modeChange: "provider-forbids",
  modeSetIn: "the cluster's network settings at creation; ipvs cannot be switched off afterwards",
  change: "create a new cluster in {mode} mode and move the workloads, or ask Tencent for a way",
  undoneBy: null,
  kubeProxyUpgrade: "with-control-plane",
  source: "TKE documentation (2024-12)",
  confidence: "medium",
};
