import { matchOf, type Provider } from "./provider.ts";

export const cce: Provider = {
  id: "cce",
  name: "Huawei Cloud CCE",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /-r\d+(-CCE|\.)|-CCE/i) ??
    matchOf("node label", signals.nodeLabels, /^(cce\.cloud\.com|os\.modify\.node\.cce)\//),
  kubeProxyRunBy: "provider",
  modeChange: "provider-forbids",
  modeSetIn: "spec.kubeProxyMode at creation; it cannot be modified",
  change: "create a new cluster in {mode} mode and move the workloads, or ask Huawei for a way",
  undoneBy: null,
  kubeProxyUpgrade: "with-control-plane",
  source: "CCE API, spec.kubeProxyMode",
  confidence: "medium",
};
