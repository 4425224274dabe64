import { matchOf, type Provider } from "./provider.ts";

export const kubermatic: Provider = {
  id: "kubermatic",
  name: "Kubermatic KKP",
  recognise: (signals) =>
    matchOf("node label", signals.nodeLabels, /^(machine\.k8c\.io|k8c\.io)\//) ??
    matchOf("workload", signals.workloads, /kubermatic|\/usercluster-controller/),
  kubeProxyRunBy: "customer",
  modeChange: "provider-forbids",
  modeSetIn: "clusterNetwork.proxyMode of the user cluster, which cannot be changed after creation",
  change:
    "create a new user cluster with proxyMode {mode}, or wait for the migration that kubermatic#15501 asks for",
  undoneBy: "the add-on controller writes the kube-proxy add-on again",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://github.com/kubermatic/kubermatic/issues/15501",
  confidence: "medium",
};
