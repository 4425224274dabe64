import { matchOf, type Provider } from "./provider.ts";

export const k3s: Provider = {
  id: "k3s",
  name: "k3s",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /\+k3s\d/) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /\+k3s\d/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "each node's own k3s arguments or /etc/rancher/k3s/config.yaml",
  change:
    "set kube-proxy-arg: proxy-mode={mode} in /etc/rancher/k3s/config.yaml on every node, then restart k3s node by node",
  undoneBy: null,
  kubeProxyUpgrade: "with-nodes",
  source: "https://docs.k3s.io/cli/server, --kube-proxy-arg",
  confidence: "high",
};
