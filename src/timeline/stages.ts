import { compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Certainty, Component } from "#src/model/finding.ts";
import type { FactId } from "./facts.ts";

/** One step of a change: at which version of which component what happens, and the fact that says so. */
export interface Stage {
  version: string;
  component: Component;
  what: string;
  certainty: Certainty;
  fact: FactId;
}

/** A step that one provider takes or has announced. */
export interface ProviderStage extends Stage {
  provider: string;
}

/** KEP-5495, Graduation Criteria. */
export const IPVS_STAGES: readonly Stage[] = [
  {
    version: "1.35",
    component: "kube-proxy",
    what: "ipvs mode logs that it is deprecated and emits an IPVSDeprecation event",
    certainty: "released",
    fact: "ipvs-warning-1.35",
  },
  {
    version: "1.37",
    component: "kube-proxy",
    what: "the feature gate KubeProxyIPVS appears, on by default; turning it off refuses ipvs mode",
    certainty: "released",
    fact: "ipvs-gate-1.37",
  },
  {
    version: "1.40",
    component: "kube-proxy",
    what: "KubeProxyIPVS is off by default: kube-proxy in ipvs mode exits with an error",
    certainty: "planned",
    fact: "ipvs-off-1.40",
  },
  {
    version: "1.43",
    component: "kube-proxy",
    what: "KubeProxyIPVS is locked off and the ipvs code is deleted; setting the gate to true is refused",
    certainty: "planned",
    fact: "ipvs-removed-1.43",
  },
  {
    version: "1.46",
    component: "kube-proxy",
    what: "the gate KubeProxyIPVS is gone: naming it at all is refused",
    certainty: "planned",
    fact: "ipvs-gate-gone-1.46",
  },
];

/** KEP-5343, Graduation Criteria. */
export const DEFAULT_MODE_STAGES: readonly Stage[] = [
  {
    version: "1.37",
    component: "kube-proxy",
    what: "kube-proxy warns where no mode is set; the default is still iptables",
    certainty: "released",
    fact: "default-mode-warning-1.37",
  },
  {
    version: "1.37",
    component: "kubeadm",
    what: "kubeadm writes mode: iptables where no mode is set",
    certainty: "released",
    fact: "kubeadm-writes-mode-1.37",
  },
  {
    version: "1.39",
    component: "kubeadm",
    what: "kubeadm's preflight check no longer accepts kernels 5.4 and 5.10",
    certainty: "planned",
    fact: "kubeadm-kernels-1.39",
  },
  {
    version: "1.40",
    component: "kube-proxy",
    what: "the default mode on Linux becomes nftables; kernels below 5.13 need mode: iptables set",
    certainty: "planned",
    fact: "default-nftables-1.40",
  },
  {
    version: "1.40",
    component: "kubeadm",
    what: "kubeadm writes mode: nftables for new clusters",
    certainty: "planned",
    fact: "default-nftables-1.40",
  },
];

export const NFTABLES_STAGES: readonly Stage[] = [
  {
    version: "1.31",
    component: "kube-proxy",
    what: "nftables mode is on by default (beta); before, it needs the gate NFTablesProxyMode (alpha in 1.29)",
    certainty: "released",
    fact: "nftables-stages",
  },
  {
    version: "1.33",
    component: "kube-proxy",
    what: "nftables mode is generally available",
    certainty: "released",
    fact: "nftables-stages",
  },
  {
    version: "1.37",
    component: "kube-proxy",
    what: "nodePortAddresses accepts the words localhost and all beside primary",
    certainty: "released",
    fact: "nodeport-keywords",
  },
  {
    version: "1.38",
    component: "kube-proxy",
    what: "localhost NodePorts in nftables mode are on by default (beta), where loopback is listed explicitly",
    certainty: "planned",
    fact: "nodeport-localhost-gate",
  },
];

const NODE_STAGES: readonly Stage[] = [
  {
    version: "1.32",
    component: "kubeadm",
    what: "kubeadm's preflight check refuses kernels before 4.19; from 1.34 it only warns",
    certainty: "released",
    fact: "kubeadm-kernels-1.32",
  },
  {
    version: "1.35",
    component: "kubelet",
    what: "kubelet does not start on cgroup v1 unless failCgroupV1 is set to false",
    certainty: "released",
    fact: "cgroup-v1-1.35",
  },
  {
    version: "1.38",
    component: "kubelet",
    what: "kubelet no longer starts with containerd 1.x (has slipped twice)",
    certainty: "planned",
    fact: "containerd1-1.38",
  },
];

/** KEP-5707; ipvs users hold these addresses on kube-ipvs0. */
export const EXTERNAL_IPS_STAGES: readonly Stage[] = [
  {
    version: "1.40",
    component: "kube-proxy",
    what: "Service externalIPs are ignored unless AllowServiceExternalIPs is turned on",
    certainty: "planned",
    fact: "external-ips",
  },
  {
    version: "1.43",
    component: "kube-proxy",
    what: "support for Service externalIPs is removed",
    certainty: "planned",
    fact: "external-ips",
  },
];

export const PROVIDER_STAGES: readonly ProviderStage[] = [
  {
    provider: "eks",
    version: "1.33",
    component: "kube-proxy",
    what: "the EKS kube-proxy add-on accepts nftables mode",
    certainty: "released",
    fact: "eks-nftables-1.33",
  },
  {
    provider: "eks",
    version: "1.36",
    component: "kube-proxy",
    what: "AWS announced that ipvs mode is removed in 1.36; upstream contradicts it, and the add-on schema decides",
    certainty: "announced",
    fact: "eks-announcement",
  },
  {
    provider: "aks",
    version: "1.33",
    component: "kube-proxy",
    what: "AKS accepts nftables mode (preview); no end of ipvs mode is announced",
    certainty: "released",
    fact: "aks-no-date",
  },
  {
    provider: "ack",
    version: "1.35",
    component: "kube-proxy",
    what: "ACK still creates clusters in ipvs mode and asks to plan the migration before the next upgrade",
    certainty: "announced",
    fact: "ack-default-ipvs",
  },
  {
    provider: "talos",
    version: "1.31",
    component: "kube-proxy",
    what: "Talos 1.8 and newer starts kube-proxy in nftables mode where no mode is set",
    certainty: "released",
    fact: "talos-default-nftables",
  },
];

export const UPSTREAM_STAGES: readonly Stage[] = [
  ...IPVS_STAGES,
  ...DEFAULT_MODE_STAGES,
  ...NFTABLES_STAGES,
  ...NODE_STAGES,
  ...EXTERNAL_IPS_STAGES,
];

/** The stage of `fact`, the first where a fact has several. Throws on a fact that is no stage: a typo. */
export function stageOf(fact: FactId): Stage {
  const stage = [...UPSTREAM_STAGES, ...PROVIDER_STAGES].find((one) => one.fact === fact);
  if (stage === undefined) throw new Error(`${fact} is not a stage`);
  return stage;
}

/**
 * The first kube-proxy that refuses ipvs mode, by the value of KubeProxyIPVS in its configuration (KEP-5495):
 * unset, the default decides; `true` holds until the gate is locked; `false` is refused as soon as the gate is
 * there.
 */
export function ipvsBlocksFrom(gate: boolean | undefined): BlocksFrom {
  if (gate === undefined) return blocksFromOf(stageOf("ipvs-off-1.40"));
  return blocksFromOf(stageOf(gate ? "ipvs-removed-1.43" : "ipvs-gate-1.37"));
}

/** What a Linux kube-proxy of that version runs when no mode is set. */
export function defaultModeAt(minor: string): { mode: "iptables" | "nftables"; certainty: Certainty } {
  const flip = stageOf("default-nftables-1.40");
  if (compareMinor(minor, flip.version) >= 0) return { mode: "nftables", certainty: flip.certainty };
  const known = stageOf("default-mode-warning-1.37");
  return { mode: "iptables", certainty: compareMinor(minor, known.version) <= 0 ? "released" : "planned" };
}

/** The first kubelet that does not start with containerd 1.x. */
export function containerd1EndsAt(): BlocksFrom {
  return blocksFromOf(stageOf("containerd1-1.38"));
}

/** The version from which the stage stops an upgrade. */
export function blocksFromOf({ version, component, certainty }: Stage): BlocksFrom {
  return { version, component, certainty };
}
