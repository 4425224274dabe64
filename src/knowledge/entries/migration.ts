import type { Entry } from "../entry.ts";
import { dated, IPVS_OFF, IPVS_REMOVED } from "../versions.ts";

/** Switching a live cluster, and back. */
export const MIGRATION_ENTRIES: readonly Entry[] = [
  {
    id: "switch-live",
    question: "Is it safe to switch the mode on a live cluster?",
    askedAs: [
      "do connections drop when switching",
      "is there downtime when changing the proxy mode",
      "zero downtime ipvs to nftables",
      "migrate without downtime",
      "migrate without interruption",
      "migrate ipvs to nftables on a live cluster",
      "how do I migrate from ipvs to nftables",
      "switch kube-proxy mode in production",
      "will traffic be interrupted",
      "do I need to drain nodes",
      "do existing connections survive",
      "migration steps",
      "how to switch to nftables",
    ],
    answer: () => ({
      certainty: "estimated",
      text:
        "Yes, node by node; all at once it is a gamble. When kube-proxy starts in the new mode it removes the old mode's rules and serves Services again after its first sync, so for seconds (minutes with very many Services) new connections from that node fail, and connections that ran through ipvs are likely to break. " +
        "Start with a canary node, better drained: switch it, or reboot it into the new mode, test ClusterIP, NodePort, LoadBalancer and DNS, then go on in small steps. " +
        "An edited ConfigMap does nothing until the kube-proxy pods restart. proxy-audit scan names what one cluster needs.",
    }),
    facts: ["switch-is-disruptive", "config-read-at-start", "sync-5000-services", "mixed-modes-supported"],
    fleetQuestion: "ipvs",
    related: ["breaks-most", "roll-back", "mixed-modes"],
  },
  {
    id: "breaks-most",
    question: "What breaks most when moving from ipvs to nftables?",
    askedAs: [
      "what breaks",
      "common problems migrating to nftables",
      "gotchas ipvs to nftables",
      "what should I test after switching",
      "differences between ipvs and nftables",
      "risks of the migration",
      "what can go wrong",
      "what goes wrong when moving",
      "pitfalls",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "NodePorts first: with nodePortAddresses empty, nftables serves them on a node's primary addresses only, so virtual and secondary addresses stop answering. " +
        "Then network plugins: Amazon VPC CNI before 1.23.0, Calico without its own nftables data plane. " +
        "Then host firewalls that iptables mode had opened, NodeLocal DNSCache, and scripts that read ipvsadm or KUBE- chains. " +
        "Schedulers and timeouts of ipvs go without an error, and a ClusterIP no longer answers ping.",
    }),
    facts: [
      "nodeport-primary",
      "vpc-cni-nftables",
      "calico-nftables-version",
      "calico-nftables-match",
      "firewall-holes",
      "node-local-dns",
      "ipvs-settings-have-no-successor",
    ],
    fleetQuestion: "nodeport",
    related: ["nodeport-addresses", "vpc-cni", "firewall"],
  },
  {
    id: "roll-back",
    question: "How do I roll back?",
    askedAs: [
      "rollback to ipvs",
      "go back to ipvs",
      "undo the switch to nftables",
      "revert to iptables",
      "how do I roll back the proxy mode",
      "can I switch back",
    ],
    answer: ({ now }) => ({
      certainty: IPVS_OFF.certainty,
      text:
        "Set the old mode where you changed it and restart kube-proxy node by node: from nftables, kube-proxy cleans up its nftables rules by itself when it starts in another mode. " +
        "Keep the ipvs block, the ip_vs modules and strictARP until you are sure. " +
        "From ipvs to iptables the ipvs rules stay behind until kube-proxy --cleanup or a reboot. " +
        `Going back to ipvs needs KubeProxyIPVS: true from ${dated(IPVS_OFF.version, now)} and is over from ${dated(IPVS_REMOVED.version, now)}; words such as localhost in nodePortAddresses stop an older kube-proxy.`,
    }),
    facts: ["ipvs-to-iptables-cleanup", "ipvs-off-1.40", "ipvs-removed-1.43", "nodeport-keywords"],
    fleetQuestion: "ipvs",
    related: ["cleanup", "force-ipvs", "switch-live"],
  },
  {
    id: "cleanup",
    question: "What is left behind when moving from ipvs to iptables?",
    askedAs: [
      "ipvs to iptables leftovers",
      "kube-ipvs0 still there",
      "kube-ipvs0 interface still exists",
      "how do I clean up ipvs rules",
      "kube-proxy --cleanup",
      "remove kube-ipvs0",
      "ipset leftovers after migration",
      "stale ipvs rules",
      "do I need to reboot nodes",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "The ipvs rules, the kube-ipvs0 interface and its addresses stay until kube-proxy --cleanup runs on the node or it reboots: kube-proxy counts ipvs as based on iptables and does not clean up between the two. " +
        "Left there, a node still takes Service addresses for its own and may send traffic to pods that are gone. " +
        "Moving to nftables cleans up both, and flushes the IPVS rules of kube-vip or lvscare as well. Replacing the nodes, pool by pool, is the cleanest way. No API shows these leftovers, so proxy-audit can only tell you to look.",
    }),
    facts: ["ipvs-to-iptables-cleanup", "nftables-flushes-ipvs", "kube-ipvs0-addresses"],
    related: ["roll-back", "ip-vs-modules", "nftables-or-iptables"],
  },
  {
    id: "kubeadm-upgrade",
    question: "Does kubeadm upgrade put ipvs back?",
    askedAs: [
      "kubeadm upgrade resets kube-proxy mode",
      "does kubeadm upgrade overwrite the kube-proxy configmap",
      "kubeadm regenerates the kube-proxy config",
      "kubeadm reverts mode",
      "will kubeadm undo my change",
      "kubeadm keeps mode",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No: kubeadm upgrade reads config.conf back from the ConfigMap kube-system/kube-proxy and keeps the mode it finds. " +
        "Popular articles say otherwise; what does put ipvs back is something that feeds an old KubeProxyConfiguration in again: kubeadm upgrade apply --config, kubespray's inventory, Cluster API templates, GitOps. " +
        "Change the mode there too. When you edit the ConfigMap, change that one key and leave kubeconfig.conf in it.",
    }),
    facts: ["claim-kubeadm-restores-ipvs", "kubeadm-keeps-config"],
    claim: "false",
    fleetQuestion: "ipvs",
    related: ["set-kubeadm", "set-kubespray", "flag-or-file"],
  },
];
