import type { FactId } from "#src/timeline/facts.ts";
import type { CniId, SettingName } from "./cni.ts";

/**
 * One known conflict between a CNI and a mode of kube-proxy. Every condition must hold. `{version}`, `{agent}` and
 * `{cluster}` stand for what was found. The fact carries source, date and confidence.
 */
export interface CniRule {
  id: string;
  cni: CniId;
  /**
   * The mode of kube-proxy it hurts under. `nftables`: runs, or is where a migration goes. `any`: it hurts today
   * whatever the mode.
   */
  under: "nftables" | "ipvs" | "iptables-or-ipvs" | "any";
  from?: string;
  before?: string;
  /** Settings with the values that meet the rule. */
  settings?: Partial<Record<SettingName, readonly string[]>>;
  /** The network policy agent is older than that. */
  agentBefore?: string;
  /** What else must be in the cluster. */
  beside?: "calico-ebpf" | "bottlerocket";
  status: "warning" | "info";
  /** `migration` also while it is about a mode that does not run yet. */
  about: "migration" | "hygiene";
  title: string;
  detail: string;
  fix: string;
  fact: FactId;
}

const CALICO_SWITCH =
  'with the operator: kubectl patch installation default --type merge -p \'{"spec":{"calicoNetwork":{"linuxDataplane":"Nftables"}}}\'; otherwise set nftablesMode: Enabled in FelixConfiguration default';

export const CNI_RULES: readonly CniRule[] = [
  {
    id: "vpc-cni-before-1.23",
    cni: "vpc-cni",
    under: "nftables",
    before: "1.23.0",
    settings: { "external-snat": ["off"] },
    status: "warning",
    about: "migration",
    title: "VPC CNI {version} breaks ClusterIPs of pods on secondary interfaces under nftables kube-proxy",
    detail:
      "VPC CNI {version} is older than 1.23.0 and does SNAT itself (AWS_VPC_K8S_CNI_EXTERNALSNAT is not true). With " +
      "kube-proxy in nftables mode, pods whose address is on a secondary network interface cannot reach ClusterIPs: a " +
      "part of the pods of each node fails, the others work.",
    fix: "Update the VPC CNI to 1.23.0 or newer, with network policy agent 1.4.1 or newer: aws eks update-addon --cluster-name {cluster} --addon-name vpc-cni --addon-version VERSION (VERSION from: aws eks describe-addon-versions --addon-name vpc-cni).",
    fact: "vpc-cni-nftables",
  },
  {
    id: "vpc-cni-old-agent",
    cni: "vpc-cni",
    under: "any",
    from: "1.23.0",
    agentBefore: "1.4.1",
    status: "warning",
    about: "hygiene",
    title: "VPC CNI {version} runs beside network policy agent {agent}; it needs 1.4.1 or newer",
    detail:
      "From 1.23.0 on the VPC CNI writes its connection marks with nftables and must run with network policy agent 1.4.1 or newer.",
    fix: "Update the agent with the VPC CNI: aws eks update-addon --cluster-name {cluster} --addon-name vpc-cni --addon-version VERSION, and check the image of the container aws-eks-nodeagent afterwards.",
    fact: "vpc-cni-agent",
  },
  {
    id: "vpc-cni-calico-ebpf",
    cni: "vpc-cni",
    under: "any",
    from: "1.23.0",
    beside: "calico-ebpf",
    status: "warning",
    about: "hygiene",
    title: "VPC CNI {version} wipes the packet marks of Calico's eBPF data plane",
    detail:
      "From 1.23.0 on the VPC CNI restores marks in a way that removes those that Calico's eBPF data plane sets: traffic that Calico has handled is treated as if it had not.",
    fix: "Stay on VPC CNI 1.22 while Calico runs eBPF, or leave Calico's eBPF data plane; follow https://github.com/aws/amazon-vpc-cni-k8s/issues/3872.",
    fact: "vpc-cni-calico-ebpf",
  },
  {
    id: "vpc-cni-sgp-standard",
    cni: "vpc-cni",
    under: "ipvs",
    settings: { "pod-security-groups": ["standard"] },
    status: "info",
    about: "migration",
    title: "POD_SECURITY_GROUP_ENFORCING_MODE=standard may be there for ipvs only",
    detail:
      "Security groups for pods work beside ipvs only in enforcing mode standard. After the migration both modes work: strict sends a pod's traffic through its own security group in every case, standard does not.",
    fix: "Decide after the migration whether standard is still wanted: kubectl -n kube-system describe daemonset aws-node | grep POD_SECURITY_GROUP_ENFORCING_MODE",
    fact: "vpc-cni-sgp-standard",
  },
  {
    id: "bottlerocket-network-policy",
    cni: "vpc-cni",
    under: "nftables",
    settings: { "network-policy": ["on"] },
    beside: "bottlerocket",
    status: "warning",
    about: "migration",
    title: "Bottlerocket, nftables kube-proxy and the VPC CNI's network policies lost connectivity elsewhere",
    detail:
      "Bottlerocket nodes run beside a VPC CNI that enforces network policies. With EKS 1.34 and nftables kube-proxy, others lost pod connectivity after about a day and went back to iptables; the report is open, and no fixed version is known.",
    fix: "Run one node group in nftables mode for some days before the others, with a test that opens new connections through ClusterIPs; follow https://github.com/bottlerocket-os/bottlerocket/issues/4674.",
    fact: "bottlerocket-network-policy",
  },
  {
    id: "calico-before-3.29",
    cni: "calico",
    under: "nftables",
    before: "3.29.0",
    settings: { dataplane: ["iptables", "auto", "nftables"] },
    status: "warning",
    about: "migration",
    title: "Calico {version} does not know nftables: it fails beside nftables kube-proxy",
    detail:
      "Calico learned nftables in 3.29. Older versions look for kube-proxy's iptables rules, and 3.27 is known to panic beside nftables kube-proxy.",
    fix: `Update Calico to 3.30 or newer first, then switch its data plane together with kube-proxy: ${CALICO_SWITCH}.`,
    fact: "calico-nftables-version",
  },
  {
    id: "calico-3.29",
    cni: "calico",
    under: "nftables",
    from: "3.29.0",
    before: "3.30.0",
    settings: { dataplane: ["iptables", "auto", "nftables"] },
    status: "warning",
    about: "migration",
    title: "Calico {version} has nftables as a preview; its guide asks for 3.30 or newer",
    detail: "Calico 3.29 brought nftables; Tigera's guide for nftables kube-proxy asks for 3.30 or newer.",
    fix: `Update Calico to 3.30 or newer first, then switch its data plane together with kube-proxy: ${CALICO_SWITCH}.`,
    fact: "calico-nftables-version",
  },
  {
    id: "calico-iptables-beside-nftables",
    cni: "calico",
    under: "nftables",
    from: "3.30.0",
    settings: { dataplane: ["iptables"] },
    status: "warning",
    about: "migration",
    title: "Calico's data plane is iptables: it must be switched together with kube-proxy",
    detail:
      "Calico's data plane must match kube-proxy's mode. With one in iptables and the other in nftables mode, new pods have lost Service traffic.",
    fix: `Switch Calico to nftables in the same change as kube-proxy: ${CALICO_SWITCH}.`,
    fact: "calico-nftables-match",
  },
  {
    id: "calico-nftables-beside-iptables",
    cni: "calico",
    under: "iptables-or-ipvs",
    settings: { dataplane: ["nftables"] },
    status: "warning",
    about: "hygiene",
    title: "Calico runs its nftables data plane, which needs kube-proxy in nftables mode",
    detail:
      "Calico's nftables data plane works only beside kube-proxy in nftables mode; here kube-proxy is configured for another mode.",
    fix: "Move kube-proxy to nftables, or switch Calico back to iptables until then (linuxDataplane: Iptables, or nftablesMode: Disabled).",
    fact: "calico-nftables-match",
  },
  {
    id: "flannel-iptables",
    cni: "flannel",
    under: "nftables",
    settings: { nftables: ["off"] },
    status: "info",
    about: "migration",
    title: "Flannel writes iptables rules: turn EnableNFTables on together with nftables kube-proxy",
    detail:
      "Flannel masquerades with iptables rules unless EnableNFTables is true. Both kinds of rules can run side by side, but installers that offer nftables kube-proxy switch Flannel with it.",
    fix: 'Set "EnableNFTables": true in net-conf.json of Flannel\'s ConfigMap and restart its DaemonSet, node by node with kube-proxy.',
    fact: "flannel-nftables",
  },
  {
    id: "cilium-partial",
    cni: "cilium",
    under: "nftables",
    settings: { "kube-proxy-replacement": ["partial", "probe"] },
    status: "warning",
    about: "migration",
    title:
      "Cilium does a part of Services and kube-proxy the rest: replace kube-proxy instead of migrating it",
    detail:
      "kube-proxy-replacement is partial or probe, which Cilium 1.14 dropped: which of the two handles a Service depends on kernel and settings. No report says how this goes with kube-proxy in nftables mode.",
    fix: "Set kube-proxy-replacement to true (Helm: kubeProxyReplacement=true) and remove kube-proxy, or test nftables mode on one node first.",
    fact: "cilium-partial",
  },
  {
    id: "cilium-beside-kube-proxy",
    cni: "cilium",
    under: "nftables",
    settings: { "kube-proxy-replacement": ["false", "disabled"] },
    status: "info",
    about: "migration",
    title: "Cilium leaves Services to kube-proxy: it could replace it instead",
    detail:
      "Cilium runs beside kube-proxy (kube-proxy-replacement is off). No conflict with nftables kube-proxy is recorded, and no confirmation either.",
    fix: "Either test nftables mode on one node first, or set kube-proxy-replacement to true (Helm: kubeProxyReplacement=true) and remove kube-proxy.",
    fact: "cilium-partial",
  },
  {
    id: "azure-npm-ipvs",
    cni: "azure-npm",
    under: "ipvs",
    status: "warning",
    about: "hygiene",
    title: "Azure Network Policy Manager is not supported beside ipvs",
    detail:
      "AKS does not support Azure Network Policy Manager with kube-proxy in ipvs mode: policies may not hold.",
    fix: "Leave ipvs, or use another network policy engine (Cilium or Calico).",
    fact: "azure-npm-ipvs",
  },
];
