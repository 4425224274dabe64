import type { Entry } from "../entry.ts";
import { dated, LOCALHOST_NODEPORTS, NODEPORT_WORDS } from "../versions.ts";

/** NodePorts, conntrack and the host's firewall: what nftables mode does differently. */
export const NODEPORT_ENTRIES: readonly Entry[] = [
  {
    id: "nodeport-addresses",
    question: "How do I keep NodePorts on all addresses?",
    askedAs: [
      "nodeport on all addresses",
      "nodePortAddresses",
      "nodeport not reachable on secondary ip nftables",
      "nodeport stopped working on the VIP",
      "nodeport does not answer on a secondary address",
      "nodeport only on one IP",
      "nodeport keepalived virtual ip nftables",
      "nodePortAddresses primary",
      "NodePort connections will be accepted on all local IPs",
      "which addresses serve nodeports in nftables",
      "nodeports broken after switching",
    ],
    answer: ({ now }) => ({
      certainty: "released",
      text:
        "Set nodePortAddresses to 0.0.0.0/0 and ::/0, or better to just the networks you need: where it is empty, nftables serves NodePorts on the node's primary addresses only, while ipvs and iptables serve them on all. " +
        "It is what breaks keepalived or kube-vip addresses, and load balancers that target a second interface. " +
        `From ${dated(NODEPORT_WORDS.version, now)} the words primary, localhost and all may be mixed with networks; older kube-proxies know only primary, alone, and do not start with the others.`,
    }),
    facts: ["nodeport-primary", "nodeport-keywords"],
    fleetQuestion: "nodeport",
    related: ["nodeport-localhost", "firewall", "breaks-most"],
  },
  {
    id: "nodeport-localhost",
    question: "Do NodePorts on localhost still work?",
    askedAs: [
      "localhost nodeport",
      "nodeport 127.0.0.1",
      "localhost NodePorts nftables",
      "registry on localhost nodeport",
      "route_localnet",
      "KubeProxyNFTablesLocalhostNodePorts",
      "zarf registry localhost",
      "iptables.localhostNodePorts",
    ],
    answer: ({ now }) => ({
      certainty: LOCALHOST_NODEPORTS.certainty,
      text:
        "Only in iptables mode without further ado, and for IPv4; ipvs never had them, so leaving ipvs loses nothing here. " +
        `In nftables mode they need the gate KubeProxyNFTablesLocalhostNodePorts, which is alpha in ${NODEPORT_WORDS.version} and on by default from ${dated(LOCALHOST_NODEPORTS.version, now)}, and loopback listed explicitly in nodePortAddresses (localhost or 127.0.0.0/8; all is not enough). ` +
        "Then TCP works, through a proxy in kube-proxy itself. A registry that nodes pull from by localhost:NODEPORT is the usual case.",
    }),
    facts: ["nodeport-localhost-gate", "nodeport-localhost-ipvs"],
    fleetQuestion: "nodeport-localhost",
    related: ["localhost-metric", "nodeport-addresses"],
  },
  {
    id: "localhost-metric",
    question: "Which metric tells me whether localhost NodePorts are used?",
    askedAs: [
      "metric for localhost nodeports",
      "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
      "how do I know if something uses localhost nodeports",
      "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
      "metric conntrack invalid drops",
      "metrics to check before moving from iptables to nftables",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "kubeproxy_iptables_localhost_nodeports_accepted_packets_total: if it grows, something uses them. " +
        "Its sister kubeproxy_iptables_ct_state_invalid_dropped_packets_total counts what the conntrack workaround drops. " +
        "Both exist in iptables mode only: on an ipvs cluster they are missing, and missing is not zero. Nodes whose kernel lacks nfacct do not have them either.",
    }),
    facts: ["localhost-metric", "nodeport-localhost-ipvs"],
    fleetQuestion: "nodeport-localhost",
    related: ["nodeport-localhost", "conntrack", "mode-metric"],
  },
  {
    id: "conntrack",
    question: "What about conntrack invalid drops and tcpBeLiberal?",
    askedAs: [
      "tcpBeLiberal",
      "conntrack invalid packets nftables",
      "connection reset by peer after switching to nftables",
      "conntrack-tcp-be-liberal",
      "nf_conntrack_tcp_be_liberal",
      "spurious resets long-lived connections",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Nothing changes for who leaves ipvs: only iptables mode drops packets that conntrack finds invalid, ipvs never did. Coming from iptables, nftables mode lacks that drop, and on kernels before 6.1 long connections may then be reset. " +
        "There, set conntrack.tcpBeLiberal: true in kube-proxy's configuration, in any mode and before the switch. " +
        "Kernels from 6.1 on need nothing. On an iptables cluster the counter of invalid drops tells whether it matters to you.",
    }),
    facts: ["conntrack-workaround", "invalid-drop-iptables-only"],
    fleetQuestion: "conntrack",
    related: ["localhost-metric", "breaks-most", "firewall"],
  },
  {
    id: "firewall",
    question: "Do I need to open NodePorts in the host firewall?",
    askedAs: [
      "firewall nodeport nftables",
      "firewalld kube-proxy nftables",
      "ufw nodeports",
      "host firewall blocks nodeports",
      "does kube-proxy open the firewall",
      "nftables default drop input policy",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "In nftables mode, yes: kube-proxy no longer opens NodePorts in a host firewall as iptables mode did, so firewalld, ufw or rules of your own must allow the NodePort range (30000-32767 by default) and health check ports. " +
        "Security groups and firewalls outside the node are not touched by the mode. " +
        "No API shows a host firewall, so proxy-audit lists this as something to verify and never as fine.",
    }),
    facts: ["firewall-holes"],
    fleetQuestion: "nodeport",
    related: ["nodeport-addresses", "breaks-most"],
  },
];
