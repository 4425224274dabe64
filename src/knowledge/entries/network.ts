import type { Entry } from "../entry.ts";
import { dated, EKS_NFTABLES, IPVS_OFF } from "../versions.ts";

/** Network plugins, replacements of kube-proxy, and others that use IPVS. */
export const NETWORK_ENTRIES: readonly Entry[] = [
  {
    id: "cilium",
    question: "Does Cilium make this irrelevant for me?",
    askedAs: [
      "what about cilium",
      "cilium kube-proxy replacement",
      "we run cilium, are we affected",
      "kube-proxy-replacement true",
      "cilium and ipvs",
      "kubeProxyReplacement",
      "gke dataplane v2",
    ],
    answer: () => ({
      certainty: "released",
      text:
        'Only where it replaces kube-proxy: kube-proxy-replacement is "true" (before Cilium 1.14, "strict") in ConfigMap cilium-config, and no kube-proxy runs beside it. ' +
        'With "false", Cilium is the network plugin and kube-proxy still forwards Services, so its mode matters as anywhere else. ' +
        "If a kube-proxy runs although it is replaced, both program Services; remove it. GKE's Dataplane V2 is Cilium with kube-proxy replaced.",
    }),
    facts: ["cilium-partial"],
    fleetQuestion: "replaced",
    related: ["calico", "kube-router", "see-mode"],
  },
  {
    id: "calico",
    question: "What about Calico and its eBPF data plane?",
    askedAs: [
      "calico ebpf",
      "calico nftables",
      "we use calico, are we affected",
      "calico with kube-proxy nftables",
      "linuxDataplane BPF",
      "nftablesMode FelixConfiguration",
      "calico ipvs mode",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "With the eBPF data plane (linuxDataplane: BPF) Calico replaces kube-proxy and you are not affected; with its iptables data plane kube-proxy's mode matters. " +
        "When you move kube-proxy to nftables, move Calico too: linuxDataplane: Nftables or nftablesMode: Enabled, which Calico's guide asks 3.30 or newer for. " +
        "Calico 3.27 is known to panic beside nftables kube-proxy, and a mismatch has left new pods without Services, so try one node first.",
    }),
    facts: ["calico-ebpf-replaces", "calico-nftables-version", "calico-nftables-match"],
    fleetQuestion: "cni",
    related: ["cilium", "vpc-cni", "switch-live"],
  },
  {
    id: "flannel",
    question: "Does Flannel work with nftables mode?",
    askedAs: ["flannel nftables", "EnableNFTables", "flannel kube-proxy nftables", "we use flannel"],
    answer: () => ({
      certainty: "released",
      text:
        'Yes; Flannel has a switch of its own for its masquerade rules, "EnableNFTables": true in net-conf.json of ConfigMap kube-flannel-cfg. ' +
        "Turn it on together with kube-proxy's nftables mode, as kubespray does, so that a node needs one of the two systems only. " +
        "iptables rules of Flannel beside nftables rules of kube-proxy do coexist, but test traffic that leaves the cluster.",
    }),
    facts: ["flannel-nftables"],
    fleetQuestion: "cni",
    related: ["calico", "switch-live"],
  },
  {
    id: "kube-router",
    question: "Is kube-router affected by the end of ipvs?",
    askedAs: [
      "kube-router ipvs",
      "does kube-router need kube-proxy ipvs",
      "kube router service proxy",
      "we run kube-router",
      "is ipvs removed from the linux kernel",
      "other users of ipvs",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No: kube-router programs IPVS itself and replaces kube-proxy where run-service-proxy is on, which it is by default; Kubernetes removes ipvs from kube-proxy, not from the Linux kernel. " +
        "With --run-service-proxy=false kube-proxy does the work and its mode matters. " +
        "Keep the ip_vs modules on nodes that run kube-router, and no kube-proxy beside it: one in nftables mode flushes all IPVS rules when it starts.",
    }),
    facts: ["kube-router-own-ipvs", "nftables-flushes-ipvs"],
    fleetQuestion: "other-ipvs",
    related: ["kube-vip", "ip-vs-modules", "cilium"],
  },
  {
    id: "kube-vip",
    question: "Is kube-vip or lvscare affected by the end of ipvs?",
    askedAs: [
      "kube-vip ipvs",
      "kube-vip lb_enable",
      "lvscare",
      "sealos lvscare ipvs",
      "kube-vip control plane load balancer",
      "does kube-vip need ipvs",
      "is kube-vip affected",
      "kube-vip",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Not by the end of kube-proxy's ipvs mode, but by the switch: both use the kernel's IPVS themselves, kube-vip for the control plane load balancer (lb_enable), lvscare for reaching the API servers from each node. " +
        "kube-proxy in nftables mode flushes every IPVS rule of a node each time it starts, theirs included, and so does kube-proxy --cleanup. " +
        "So switch one such node first and see with ipvsadm -Ln that they write their rules again before you go on; iptables mode leaves them alone. " +
        "Keep the ip_vs modules there. kube-vip with ARP needs strictARP only while kube-proxy runs ipvs.",
    }),
    facts: ["kube-vip-own-ipvs", "lvscare-own-ipvs", "nftables-flushes-ipvs", "strict-arp"],
    fleetQuestion: "other-ipvs",
    related: ["ip-vs-modules", "kube-router", "strict-arp"],
  },
  {
    id: "node-local-dns",
    question: "What happens to NodeLocal DNSCache?",
    askedAs: [
      "nodelocaldns nftables",
      "node-local-dns ipvs",
      "NodeLocal DNSCache",
      "169.254.20.10",
      "169.254.25.10 nodelocaldns",
      "dns breaks after switching to nftables",
      "can I remove node local dns",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "It has to stay where it was set up for ipvs: pods have its link-local address in resolv.conf, so removing the cache takes DNS from every running pod. It works on unchanged under nftables, since it listens on that address only. " +
        "Set up for iptables it also takes over the address of kube-dns with iptables rules; it knows no nftables yet (kubernetes/dns#682), so test on one node that queries reach the cache and not kube-dns. " +
        "On Gardener, changing the mode changes the node-local cache as well.",
    }),
    facts: ["node-local-dns", "provider-gardener"],
    fleetQuestion: "dns-cache",
    related: ["breaks-most", "switch-live"],
  },
  {
    id: "vpc-cni",
    question: "Which Amazon VPC CNI version works with nftables?",
    askedAs: [
      "vpc cni version nftables",
      "aws-node nftables",
      "vpc cni 1.23",
      "pods on secondary eni cannot reach clusterip",
      "amazon vpc cni kube-proxy nftables",
      "POD_SECURITY_GROUP_ENFORCING_MODE",
      "network policy agent nftables",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "1.23.0 or newer, together with network policy agent 1.4.1: before that, with external SNAT off, pods on secondary network interfaces lose ClusterIPs beside nftables kube-proxy. " +
        `Upgrade the CNI first, then switch the mode; the EKS add-on takes nftables from ${EKS_NFTABLES.version}. ` +
        "With security groups for pods, POD_SECURITY_GROUP_ENFORCING_MODE was forced to standard by ipvs and may be reviewed afterwards. 1.23.0 clashes with Calico's eBPF packet marks.",
    }),
    facts: [
      "vpc-cni-nftables",
      "vpc-cni-agent",
      "vpc-cni-sgp-standard",
      "vpc-cni-calico-ebpf",
      "eks-nftables-1.33",
    ],
    fleetQuestion: "cni",
    related: ["set-eks", "bottlerocket", "calico"],
  },
  {
    id: "service-mesh",
    question: "Does a service mesh or Gateway API change anything?",
    askedAs: [
      "istio nftables kube-proxy",
      "istio ambient ipvs",
      "linkerd ipvs",
      "does gateway api replace kube-proxy",
      "service mesh and proxy mode",
    ],
    answer: ({ now }) => ({
      certainty: "estimated",
      text:
        `No: a mesh or a gateway routes traffic above kube-proxy and does not replace it, so kube-proxy in ipvs mode stops with ${dated(IPVS_OFF.version, now)} all the same. ` +
        "Sidecars and ambient redirection have iptables rules of their own, which coexist with nftables mode, but no upstream test covers every version: switch one node with meshed pods first. " +
        "A mesh does balance by load or by least requests, which is what people hoped of the lc scheduler.",
    }),
    facts: ["ipvs-off-1.40", "ipvs-scheduler-per-node"],
    fleetQuestion: "ipvs",
    related: ["scheduler", "switch-live"],
  },
];
