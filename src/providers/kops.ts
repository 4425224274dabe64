import { matchOf, type Provider } from "./provider.ts";

export const kops: Provider = {
  id: "kops",
  name: "kOps",
  recognise: (signals) =>
    matchOf("node label", signals.nodeLabels, /^kops\.k8s\.io\//) ??
    matchOf("kube-proxy label", signals.kubeProxyLabels, /^kubernetes\.io\/managed-by=nodeup$/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "spec.kubeProxy.proxyMode of the kOps cluster",
  change:
    "kops edit cluster: spec.kubeProxy.proxyMode: {mode}; then kops update cluster --yes and kops rolling-update cluster --yes",
  undoneBy: "nodeup writes the static pod again at every boot",
  kubeProxyUpgrade: "with-nodes",
  source: "https://github.com/kubernetes/kops/blob/master/nodeup/pkg/model/kube_proxy.go",
  confidence: "high",
};
