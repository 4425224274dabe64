import { matchOf, type Provider } from "./provider.ts";

export const talos: Provider = {
  id: "talos",
  name: "Talos Linux",
  recognise: (signals) =>
    matchOf("node image", signals.osImages, /^Talos /) ??
    matchOf("node label", signals.nodeLabels, /^talos\.dev\//),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "cluster.proxy.mode of the Talos machine configuration",
  change:
    "talosctl patch machineconfig with cluster.proxy.mode: {mode} on the control plane nodes, then talosctl upgrade-k8s",
  undoneBy: "talosctl upgrade-k8s writes the DaemonSet again from the machine configuration",
  kubeProxyUpgrade: "with-control-plane",
  source: "https://www.talos.dev/latest/reference/configuration/, cluster.proxy",
  confidence: "high",
};
