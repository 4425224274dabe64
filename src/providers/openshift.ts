import { matchOf, type Provider } from "./provider.ts";

export const openshift: Provider = {
  id: "openshift",
  name: "OpenShift",
  recognise: (signals) =>
    matchOf("custom kind", signals.customKinds, /^Network\.operator\.openshift\.io$/) ??
    matchOf("workload", signals.workloads, / openshift-/) ??
    matchOf("node label", signals.nodeLabels, /^node\.openshift\.io\//) ??
    matchOf("node image", signals.osImages, /CoreOS \d+\.\d+/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn:
    "the Network operator's configuration (networks.operator.openshift.io/cluster, spec.kubeProxyConfig)",
  change:
    'oc patch networks.operator.openshift.io cluster --type merge -p \'{"spec":{"kubeProxyConfig":{"proxyArguments":{"proxy-mode":["{mode}"]}}}}\'',
  undoneBy: "the cluster network operator writes ConfigMap openshift-kube-proxy/proxy-config again",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://github.com/openshift/cluster-network-operator",
  confidence: "high",
};
