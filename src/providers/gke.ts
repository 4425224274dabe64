import { matchOf, type Provider } from "./provider.ts";

export const gke: Provider = {
  id: "gke",
  name: "Google Kubernetes Engine",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /-gke\./) ??
    matchOf("API server version", [signals.gitVersion ?? ""], /-gke\./) ??
    matchOf("node label", signals.nodeLabels, /^cloud\.google\.com\/gke-/) ??
    matchOf("kube-proxy image", signals.kubeProxyImages, /-gke\.\d/) ??
    // Dataplane V2: Cilium under a name of Google's.
    matchOf("workload", signals.workloads, /^DaemonSet kube-system\/anetd$/),
  kubeProxyRunBy: "provider",
  modeChange: "not-offered",
  modeSetIn: "the cluster's datapath provider (Google runs kube-proxy; ipvs was never offered)",
  change: "nothing to change by hand: Google sets kube-proxy's mode; a new cluster can use Dataplane V2",
  undoneBy: "Google's add-on manager puts kube-proxy back as it was",
  kubeProxyUpgrade: "with-nodes",
  source: "GKE API, networkConfig.datapathProvider (LEGACY_DATAPATH, ADVANCED_DATAPATH)",
  confidence: "medium",
};
