import { matchOf, type Provider } from "./provider.ts";

export const doks: Provider = {
  id: "doks",
  name: "DigitalOcean Kubernetes",
  recognise: (signals) => matchOf("node label", signals.nodeLabels, /^doks\.digitalocean\.com\//),
  kubeProxyRunBy: "provider",
  modeChange: "not-offered",
  modeSetIn: "DigitalOcean's own setup (Cilium; newer versions replace kube-proxy)",
  change: "nothing to change by hand: newer DOKS versions replace kube-proxy by Cilium",
  undoneBy: null,
  kubeProxyUpgrade: "with-control-plane",
  source: "DOKS release notes",
  confidence: "low",
};
