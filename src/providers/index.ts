import { ack } from "./ack.ts";
import { aks } from "./aks.ts";
import { cce } from "./cce.ts";
import { doks } from "./doks.ts";
import { eks } from "./eks.ts";
import { gardener } from "./gardener.ts";
import { gke } from "./gke.ts";
import { k0s } from "./k0s.ts";
import { k3s } from "./k3s.ts";
import { kops } from "./kops.ts";
import { kubeadm } from "./kubeadm.ts";
import { kubermatic } from "./kubermatic.ts";
import { kubespray } from "./kubespray.ts";
import { microk8s } from "./microk8s.ts";
import { oke } from "./oke.ts";
import { openshift } from "./openshift.ts";
import type { Provider, ProviderSignals } from "./provider.ts";
import { rke2 } from "./rke2.ts";
import { talos } from "./talos.ts";
import { tke } from "./tke.ts";
import { yandex } from "./yandex.ts";

export type { Provider, ProviderSignals } from "./provider.ts";

/** In the order of recognition: what says who built it first, kubeadm last, since others build on it. */
export const PROVIDERS: readonly Provider[] = [
  eks,
  gke,
  aks,
  ack,
  tke,
  cce,
  oke,
  doks,
  yandex,
  k3s,
  rke2,
  k0s,
  microk8s,
  talos,
  openshift,
  gardener,
  kops,
  kubermatic,
  kubespray,
  kubeadm,
];

const UNKNOWN: Provider = {
  id: "unknown",
  name: "unknown provider",
  recognise: () => null,
  kubeProxyRunBy: "customer",
  modeChange: "unknown",
  modeSetIn: "wherever kube-proxy's configuration is kept",
  change:
    "set the mode to {mode} where kube-proxy's configuration is kept, then restart kube-proxy node by node",
  undoneBy: null,
  kubeProxyUpgrade: "apart",
  source: "none",
  confidence: "low",
};

/** The provider or distribution the signals point to, and what gave it away. */
export function providerOf(signals: ProviderSignals): { provider: Provider; because: string | null } {
  for (const provider of PROVIDERS) {
    const because = provider.recognise(signals);
    if (because !== null) return { provider, because };
  }
  return { provider: UNKNOWN, because: null };
}

/** A provider by its identifier; the unknown one for anything else. */
export function providerById(id: string): Provider {
  return PROVIDERS.find((provider) => provider.id === id) ?? UNKNOWN;
}
