import { matchOf, type Provider } from "./provider.ts";

export const microk8s: Provider = {
  id: "microk8s",
  name: "MicroK8s",
  recognise: (signals) =>
    matchOf("node label", signals.nodeLabels, /microk8s/) ??
    matchOf("workload", signals.workloads, /microk8s/),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn:
    "/var/snap/microk8s/current/args/kube-proxy on every node (kube-proxy runs inside kubelite: the API does not show it)",
  change:
    "set --proxy-mode={mode} in /var/snap/microk8s/current/args/kube-proxy, then: snap restart microk8s.daemon-kubelite",
  undoneBy: null,
  kubeProxyUpgrade: "with-nodes",
  source: "https://microk8s.io/docs/services-and-ports",
  confidence: "high",
};
