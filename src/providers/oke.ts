import { matchOf, type Provider } from "./provider.ts";

export const oke: Provider = {
  id: "oke",
  name: "Oracle OKE",
  recognise: (signals) => matchOf("node label", signals.nodeLabels, /^oci\.oraclecloud\.com\//),
  kubeProxyRunBy: "customer",
  modeChange: "possible",
  modeSetIn: "the KubeProxy cluster add-on's configuration",
  change: "set the proxy mode {mode} in the KubeProxy add-on's configuration",
  undoneBy: "an add-on update writes its own configuration",
  kubeProxyUpgrade: "apart",
  source: "OKE documentation, cluster add-on KubeProxy",
  confidence: "low",
};
