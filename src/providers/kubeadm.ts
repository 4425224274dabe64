import { firstMatch, matchOf, type Provider } from "./provider.ts";

export const kubeadm: Provider = {
  id: "kubeadm",
  name: "kubeadm",
  recognise(signals) {
    const kubeadmConfig = firstMatch(signals.configMapKeys, /^kube-system\/kubeadm-config\[/);
    if (kubeadmConfig !== null) return `ConfigMap ${kubeadmConfig}`;
    const configFile = firstMatch(signals.configMapKeys, /^kube-system\/kube-proxy\[config\.conf\]$/);
    const kubeconfig = firstMatch(signals.configMapKeys, /^kube-system\/kube-proxy\[kubeconfig\.conf\]$/);
    return configFile !== null && kubeconfig !== null
      ? matchOf("ConfigMap", [configFile], /./)
      : matchOf("kube-proxy image", signals.kubeProxyImages, /^(registry\.k8s\.io|k8s\.gcr\.io)\/kube-proxy/);
  },
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn:
    "ConfigMap kube-system/kube-proxy, key config.conf (kubeadm upgrade reads it back and keeps the mode)",
  change:
    "kubectl -n kube-system edit configmap kube-proxy: set mode: {mode} in config.conf and leave the other keys; then kubectl -n kube-system rollout restart daemonset kube-proxy",
  undoneBy:
    "only what feeds an old KubeProxyConfiguration in again: kubeadm upgrade apply --config, Cluster API templates, GitOps",
  kubeProxyUpgrade: "with-control-plane",
  source: "kubernetes 1.36, cmd/kubeadm/app/componentconfigs/configset.go",
  confidence: "high",
};
