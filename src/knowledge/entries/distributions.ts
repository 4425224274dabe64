import { providerById } from "#src/providers/index.ts";
import type { Entry } from "../entry.ts";
import { dated, IPVS_OFF, KUBEADM_WRITES_MODE, NFTABLES_BETA, TALOS_NFTABLES } from "../versions.ts";

/** Where distributions and installers keep the mode, in the providers' own words. */
export const DISTRIBUTION_ENTRIES: readonly Entry[] = [
  settingOn("kubeadm", {
    askedAs: [
      "kubectl edit configmap kube-proxy",
      "where is the mode set in kubeadm",
      "cluster api kube-proxy mode",
    ],
    more: () =>
      `kubeadm ${KUBEADM_WRITES_MODE.version} and newer warns about mode: ipvs, and writes mode: iptables where none is set.`,
    facts: ["kubeadm-keeps-config", "kubeadm-writes-mode-1.37"],
    related: ["kubeadm-upgrade", "flag-or-file", "set-kubespray"],
  }),
  settingOn("k3s", {
    askedAs: ["rancher k3s ipvs", "k3s kube-proxy-arg", "k3s --kube-proxy-arg proxy-mode=ipvs"],
    more: () =>
      "k3s runs kube-proxy inside its own process, so there is no pod or ConfigMap: proxy-audit reads the node annotation k3s.io/node-args, and every node has its own arguments. Without the argument, k3s sets iptables.",
    facts: ["k3s-defaults"],
    related: ["set-rke2", "see-mode"],
  }),
  settingOn("rke2", {
    askedAs: ["rancher rke2 ipvs", "rke2 kube-proxy-arg"],
    more: () =>
      "kube-proxy is a static pod there, written from those arguments; without them it runs iptables.",
    facts: ["k3s-defaults"],
    related: ["set-k3s", "see-mode"],
  }),
  settingOn("kops", {
    askedAs: ["kops proxyMode", "kops kubeProxy ipvs", "kops edit cluster kubeProxy"],
    more: () =>
      "The rolling update replaces the nodes one by one, which also leaves nothing of ipvs behind. On RHEL 10 kOps sets nftables by itself.",
    facts: ["kops-rhel10"],
    related: ["switch-live", "cleanup"],
  }),
  settingOn("talos", {
    askedAs: ["talosctl kube-proxy mode", "cluster.proxy.mode", "talos linux ipvs"],
    more: () =>
      `Where no mode is set, Talos 1.8 and newer already runs nftables on Kubernetes ${TALOS_NFTABLES.version} and newer.`,
    facts: ["talos-default-nftables"],
    related: ["default-1.35", "switch-live"],
  }),
  settingOn("kubespray", {
    askedAs: ["kube_proxy_mode", "kubespray ipvs default", "kubespray proxy mode"],
    more: (now) =>
      `So a kubespray cluster that nobody configured is concerned by the end of ipvs in ${dated(IPVS_OFF.version, now)}; no date for another default was found. It asserts kernel 5.13 for nftables and sets up NodeLocal DNSCache by default.`,
    facts: ["ipvs-off-1.40", "node-local-dns"],
    related: ["kubeadm-upgrade", "node-local-dns", "strict-arp"],
  }),
  settingOn("k0s", {
    askedAs: ["k0s kubeProxy mode", "k0s ipvs"],
    more: () => "Edits of the ConfigMap do not last, because the controller writes it again.",
    facts: [],
    related: ["set-k3s", "switch-live"],
  }),
  settingOn("gardener", {
    mode: "NFTables",
    askedAs: ["shoot kubeProxy mode", "gardener ipvs", "spec.kubernetes.kubeProxy.mode"],
    more: () =>
      `NFTables needs Kubernetes ${NFTABLES_BETA.version} or newer. Changing the mode also changes the node-local DNS cache.`,
    facts: ["node-local-dns"],
    related: ["node-local-dns", "switch-live"],
  }),
  settingOn("microk8s", {
    askedAs: ["microk8s ipvs", "microk8s kube-proxy args", "kubelite kube-proxy"],
    more: () =>
      "Nothing of it shows in the Kubernetes API, so proxy-audit reports the mode as unknown unless an event or a log gives it away.",
    facts: ["proxy-audit-unknown"],
    related: ["see-mode", "unknown"],
  }),
  {
    id: "kubermatic",
    question: "Can I change the mode on Kubermatic?",
    askedAs: ["kkp proxyMode", "kubermatic ipvs", "kubermatic nftables", "kkp immutable proxymode"],
    answer: ({ now }) => ({
      certainty: "released",
      text:
        `Not on an existing user cluster: proxyMode cannot be changed after creation, and ipvs was the default there for years. ` +
        `${capitalised(providerById("kubermatic").change.replaceAll("{mode}", "nftables"))}. ` +
        `Plan it before ${dated(IPVS_OFF.version, now)}.`,
    }),
    facts: ["provider-kubermatic", "ipvs-off-1.40"],
    fleetQuestion: "ipvs",
    related: ["tke-cce", "ipvs-when"],
  },
];

interface Setting {
  /** As the distribution writes it. */
  mode?: string;
  askedAs: readonly string[];
  more: (now: Date) => string;
  facts: Entry["facts"];
  related: readonly string[];
}

function settingOn(id: string, { mode = "nftables", askedAs, more, facts, related }: Setting): Entry {
  const { name, modeSetIn, change } = providerById(id);
  return {
    id: `set-${id}`,
    question: `How do I set nftables on ${name}?`,
    askedAs: [
      `${id} nftables`,
      `set the proxy mode on ${id}`,
      `switch ${id} to nftables`,
      `change kube-proxy mode ${id}`,
      `${id} ipvs to iptables`,
      ...askedAs,
    ],
    answer: ({ now }) => ({
      certainty: "released",
      text: `In ${modeSetIn}. Step: ${change.replaceAll("{mode}", mode)}. ${more(now)}`,
    }),
    facts: [`provider-${id}`, ...facts],
    fleetQuestion: "ipvs",
    related,
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
