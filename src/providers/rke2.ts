import { matchOf, type Provider } from "./provider.ts";

export const rke2: Provider = {
  id: "rke2",
  name: "RKE2",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /\+rke2r?\d/) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /\+rke2r?\d/) ??
    matchOf("kube-proxy image", signals.kubeProxyImages, /rke2r\d|rancher\/hardened-k/) ??
    matchOf("ConfigMap", signals.configMapKeys, /^kube-system\/chart-values-rke2-/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "each node's own RKE2 arguments or /etc/rancher/rke2/config.yaml",
  change:
    "set kube-proxy-arg: proxy-mode={mode} in /etc/rancher/rke2/config.yaml on every node, then restart rke2 node by node",
  undoneBy: "RKE2 writes kube-proxy's static pod again from its arguments",
  kubeProxyUpgrade: "with-nodes",
  source: "https://docs.rke2.io/reference/server_config, kube-proxy-arg",
  confidence: "high",
};
