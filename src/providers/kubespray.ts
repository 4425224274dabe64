import { matchOf, type Provider } from "./provider.ts";

export const kubespray: Provider = {
  id: "kubespray",
  name: "kubespray",
  // Upstream calls the DaemonSet node-local-dns; kubespray's has no hyphens and is on by default.
  recognise: (signals) => matchOf("workload", signals.workloads, /^DaemonSet kube-system\/nodelocaldns$/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "kube_proxy_mode in the kubespray inventory (its default is ipvs)",
  change: "set kube_proxy_mode: {mode} in the inventory and run upgrade-cluster.yml",
  undoneBy: "the next kubespray run writes the mode of the inventory",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://github.com/kubernetes-sigs/kubespray, kube_proxy_mode",
  confidence: "high",
};
