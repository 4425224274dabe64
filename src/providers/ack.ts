import { matchOf, type Provider } from "./provider.ts";

export const ack: Provider = {
  id: "ack",
  name: "Alibaba Cloud ACK",
  recognise: (signals) =>
    matchOf("kubelet version", signals.kubeletVersions, /-aliyun\./) ??
    matchOf("workload", signals.workloads, /^DaemonSet kube-system\/kube-proxy-(worker|master)$/) ??
    matchOf("node label", signals.nodeLabels, /^(node\.)?alibabacloud\.com\//),
  kubeProxyRunBy: "customer",
  modeChange: "unknown",
  modeSetIn: "the cluster's proxy mode (ConfigMap kube-system/kube-proxy-worker shows it)",
  change:
    "set {mode} as ACK documents it for this version, or move to Terway Datapath V2; ACK 1.35 and newer asks to plan it before the next upgrade",
  undoneBy: "a component update writes ConfigMap kube-proxy-worker again",
  kubeProxyUpgrade: "with-control-plane",
  source: "ACK release notes for 1.35 (2026-03-25)",
  confidence: "high",
};
