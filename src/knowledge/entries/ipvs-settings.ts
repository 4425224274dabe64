import type { Entry } from "../entry.ts";
import { dated, EXTERNAL_IPS_OFF, EXTERNAL_IPS_REMOVED } from "../versions.ts";

/** What people built on ipvs mode, and what becomes of it. */
export const IPVS_SETTINGS_ENTRIES: readonly Entry[] = [
  {
    id: "scheduler",
    question: "Do I lose my ipvs scheduler?",
    askedAs: [
      "do I lose my scheduler",
      "what replaces the ipvs scheduler",
      "least connection load balancing without ipvs",
      "lc scheduler nftables",
      "is there a load balancing algorithm in nftables",
      "does nftables have a scheduler",
      "weighted round robin wrr sed nq sh",
      "least conn",
      "ipvs-scheduler",
      "session persistence source hash scheduler",
      "session affinity without ipvs",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: nftables and iptables pick an endpoint at random, and neither has a scheduler to choose. " +
        "For most Services that makes no difference, because an ipvs scheduler only ever saw the connections of its own node. " +
        "Where it mattered: sessionAffinity: ClientIP replaces source hashing (sh), internalTrafficPolicy: Local and trafficDistribution keep traffic near, and balancing by load belongs into a proxy or mesh that sees every request.",
    }),
    facts: ["ipvs-settings-have-no-successor", "ipvs-scheduler-per-node"],
    fleetQuestion: "scheduler",
    related: ["lc-per-node", "other-ipvs-settings", "nftables-or-iptables"],
  },
  {
    id: "lc-per-node",
    question: "Why is the lc scheduler not cluster-wide?",
    askedAs: [
      "why is least connection per node",
      "is lc per node",
      "does lc count connections of the whole cluster",
      "why is lc not cluster wide",
      "lc",
      "does ipvs know the load of the cluster",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Because every node balances alone: its kernel counts only the connections that came through that node, and no node tells another. " +
        "With many nodes and few connections each, lc is close to random; a new pod even gets a rush from every node at once, because all of them see it as idle. " +
        "KEP-5495 says of the schedulers that they are not actually useful in Kubernetes.",
    }),
    facts: ["ipvs-scheduler-per-node"],
    fleetQuestion: "scheduler",
    related: ["scheduler", "other-ipvs-settings"],
  },
  {
    id: "other-ipvs-settings",
    question: "What happens to excludeCIDRs and the ipvs timeouts?",
    askedAs: [
      "ipvs excludeCIDRs replacement",
      "exclude cidrs nftables",
      "ipvs tcpTimeout tcpFinTimeout udpTimeout",
      "are ipvs timeouts kept",
      "which ipvs settings are lost",
      "what do I lose when I leave ipvs",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "They are lost: none of the ipvs settings (scheduler, excludeCIDRs, timeouts, strictARP) has a counterpart in nftables mode. " +
        "excludeCIDRs kept kube-proxy from deleting IPVS rules of others; nftables mode works in tables of its own and touches no one else's, so nothing has to be excluded. " +
        "The timeouts were those of IPVS connections; in nftables mode the kernel's conntrack timeouts apply, which kube-proxy's conntrack settings and sysctls change.",
    }),
    facts: ["ipvs-settings-have-no-successor", "nftables-table-names"],
    fleetQuestion: "scheduler",
    related: ["scheduler", "strict-arp", "leftover-config"],
  },
  {
    id: "strict-arp",
    question: "Do I still need strictARP?",
    askedAs: [
      "strictARP",
      "strict arp nftables",
      "can I remove strictARP",
      "is strictarp needed with nftables",
      "what about kube_proxy_strict_arp",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No, not after leaving ipvs: strictARP keeps a node from answering ARP for the addresses on kube-ipvs0, and only ipvs mode makes that interface. " +
        "MetalLB in layer 2 mode and kube-vip with ARP ask for it only while kube-proxy runs ipvs. " +
        "Leave it set until the last node has switched; afterwards it does nothing and can be deleted.",
    }),
    facts: ["strict-arp", "ipvs-settings-have-no-successor"],
    fleetQuestion: "strict-arp",
    related: ["metallb", "leftover-config", "cleanup"],
  },
  {
    id: "metallb",
    question: "Does MetalLB need ipvs?",
    askedAs: [
      "metallb ipvs",
      "metallb nftables",
      "does metal lb work with nftables",
      "we use metallb, can we switch",
      "metallb layer 2 without ipvs",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No, MetalLB runs with every mode of kube-proxy. " +
        "Its documentation asks for strictARP only where ipvs is used, which is where the belief comes from. " +
        "After the switch, test one LoadBalancer Service from outside and one from a node: with ipvs every node held its address on kube-ipvs0.",
    }),
    facts: ["claim-metallb-needs-ipvs", "strict-arp"],
    claim: "false",
    fleetQuestion: "strict-arp",
    related: ["strict-arp", "external-ips", "kube-vip"],
  },
  {
    id: "ip-vs-modules",
    question: "Do I need to remove the ip_vs kernel modules?",
    askedAs: [
      "should I unload ip_vs",
      "remove ip_vs modules",
      "modprobe ip_vs ip_vs_rr after migration",
      "do I need the ipvs kernel modules",
      "blacklist ip_vs",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No: loaded modules without rules cost nothing and harm nothing. " +
        "Do not remove them where something else uses IPVS: kube-vip with lb_enable, kube-router or lvscare. " +
        "Once no node can go back to ipvs, take ip_vs out of /etc/modules-load.d and ipset and ipvsadm out of the node image, so that new nodes come without.",
    }),
    facts: ["kube-vip-own-ipvs", "kube-router-own-ipvs", "lvscare-own-ipvs"],
    fleetQuestion: "other-ipvs",
    related: ["cleanup", "kube-vip", "ipvsadm"],
  },
  {
    id: "ipvsadm",
    question: "What replaces ipvsadm?",
    askedAs: [
      "ipvsadm equivalent",
      "ipvsadm -Ln in nftables",
      "how do I see the rules in nftables mode",
      "how to list services in nftables",
      "debug nftables kube-proxy rules",
      "nft list ruleset kube-proxy",
    ],
    answer: () => ({
      certainty: "released",
      text:
        'nft does: "nft list table ip kube-proxy" (and "ip6 kube-proxy") shows what kube-proxy programs in nftables mode. ' +
        'Start at the map: "nft list map ip kube-proxy service-ips" leads from an address and port to a chain, and that chain to the endpoints. ' +
        "There is no list of live connections by backend as ipvsadm -Lnc has; conntrack -L is the nearest. On a large cluster listing the whole table takes long.",
    }),
    facts: ["nftables-table-names", "sync-5000-services"],
    related: ["chain-dependents", "see-mode", "nft-too-new"],
  },
  {
    id: "chain-dependents",
    question: "What about scripts and agents that read KUBE-SERVICES chains or run ipvsadm?",
    askedAs: [
      "we have scripts that parse iptables KUBE-SERVICES",
      "agents that read kube-proxy chains",
      "monitoring uses ipvsadm",
      "daemonset that inserts rules into KUBE-SEP",
      "iptables -t nat hooks",
      "does node-problem-detector depend on iptables",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "They stop finding what they look for: in nftables mode there are no KUBE-SERVICES or KUBE-SEP chains, no kube-ipvs0 interface and nothing for ipvsadm to list. " +
        "Rules that jump into those chains fail to load, or match nothing without an error. " +
        "kube-proxy's nftables chains are no API either, so read Services and EndpointSlices instead. proxy-audit names the workloads whose commands or ConfigMaps mention such chains; scripts that live on nodes only you can find.",
    }),
    facts: ["chains-are-not-api", "nftables-table-names"],
    fleetQuestion: "chain-dependents",
    related: ["ipvsadm", "breaks-most", "firewall"],
  },
  {
    id: "external-ips",
    question: "What happens to Service externalIPs?",
    askedAs: [
      "are externalIPs deprecated",
      "externalIPs removed",
      "spec.externalIPs is deprecated and may no longer be implemented",
      "external ips kube-ipvs0",
      "AllowServiceExternalIPs",
      "service external IP nftables",
    ],
    answer: ({ now }) => ({
      certainty: EXTERNAL_IPS_OFF.certainty,
      text:
        `Service externalIPs work in every mode today, but they are deprecated: kube-proxy is to ignore them by default from ${dated(EXTERNAL_IPS_OFF.version, now)} and to drop them in ${dated(EXTERNAL_IPS_REMOVED.version, now)}; KEP-5707 calls that tentative. ` +
        "What leaving ipvs changes: the addresses no longer sit on kube-ipvs0, so a node does not answer ping or ARP for them by itself any more. " +
        "Move to LoadBalancer Services (MetalLB, kube-vip or the cloud's) or to a Gateway.",
    }),
    facts: ["external-ips", "kube-ipvs0-addresses"],
    fleetQuestion: "external-ips",
    related: ["metallb", "breaks-most"],
  },
  {
    id: "leftover-config",
    question: "Must I delete the ipvs block from the configuration after switching?",
    askedAs: [
      "leftover ipvs section in the config",
      "dead ipvs config",
      "is an ipvs block harmful in nftables mode",
      "can the ipvs: section stay",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No, it does no harm: kube-proxy validates the ipvs block only when the mode is ipvs. " +
        "Delete it once nobody will roll back, because it misleads whoever reads the file next. " +
        "The feature gate is different: KubeProxyIPVS in the configuration is refused by versions that do not know it, or no longer do.",
    }),
    facts: ["ipvs-settings-have-no-successor", "unknown-gate-is-fatal", "ipvs-gate-gone-1.46"],
    fleetQuestion: "ipvs-gate",
    related: ["strict-arp", "cleanup", "roll-back"],
  },
];
