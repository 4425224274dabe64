import { matchOf, type Provider } from "./provider.ts";

export const aks: Provider = {
  id: "aks",
  name: "Azure Kubernetes Service",
  recognise: (signals) =>
    (signals.answeredBy.has("aks") ? "the AKS API" : null) ??
    matchOf("node label", signals.nodeLabels, /^kubernetes\.azure\.com\/cluster/) ??
    matchOf("kube-proxy label", signals.kubeProxyLabels, /^kubernetes\.azure\.com\/managedby=aks/) ??
    matchOf("kube-proxy image", signals.kubeProxyImages, /\/oss\/(v2\/)?kubernetes\/kube-proxy/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn:
    "networkProfile.kubeProxyConfig of the managed cluster (a preview; nftables needs Kubernetes 1.33)",
  change:
    "az aks update --name CLUSTER --resource-group GROUP --kube-proxy-config FILE, with mode {mode} in capitals",
  undoneBy: "the add-on manager (addonmanager.kubernetes.io/mode: Reconcile) undoes edits of the DaemonSet",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://learn.microsoft.com/azure/aks/configure-kube-proxy",
  confidence: "high",
};
