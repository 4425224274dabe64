import { matchOf, type Provider } from "./provider.ts";

export const eks: Provider = {
  id: "eks",
  name: "Amazon EKS",
  recognise: (signals) =>
    (signals.answeredBy.has("eks") ? "the EKS API" : null) ??
    matchOf("kubelet version", signals.kubeletVersions, /-eks-/) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /-eks-/) ??
    matchOf("node label", signals.nodeLabels, /^eks\.amazonaws\.com\//) ??
    matchOf("kube-proxy label", signals.kubeProxyLabels, /^eks\.amazonaws\.com\//) ??
    matchOf("kube-proxy image", signals.kubeProxyImages, /\/eks\/kube-proxy|eksbuild/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn:
    "the kube-proxy add-on's configuration values (or ConfigMap kube-system/kube-proxy-config where kube-proxy is self-managed)",
  change: `aws eks update-addon --cluster-name CLUSTER --addon-name kube-proxy --configuration-values '{"mode":"{mode}"}'`,
  undoneBy: "an add-on update with --resolve-conflicts OVERWRITE puts the add-on's own values back",
  kubeProxyUpgrade: "apart",
  source: "https://docs.aws.amazon.com/eks/latest/best-practices/nftables.html",
  confidence: "high",
};
