import { addMinor } from "#src/kubernetes/version.ts";
import type { Entry } from "../entry.ts";
import { DEFAULT_FLIPS, DEFAULT_WARNS, dated, KUBEADM_WRITES_MODE, TALOS_NFTABLES } from "../versions.ts";

/** What runs where nobody chose a mode. */
export const DEFAULT_MODE_ENTRIES: readonly Entry[] = [
  {
    id: "default-1.35",
    question: "Did 1.35 make nftables the default?",
    askedAs: [
      "is nftables default in 1.35",
      "is nftables the default mode now",
      "1.35 nftables default",
      "is nftables default in 1.36",
      "is nftables the default in 1.37",
      "what is the default kube-proxy mode",
      "default proxy mode",
    ],
    answer: ({ now }) => ({
      certainty: DEFAULT_FLIPS.certainty,
      text:
        `No: the default on Linux is iptables in every version before ${DEFAULT_FLIPS.version}. ` +
        `kube-proxy ${DEFAULT_WARNS.version} started to warn where no mode is set, and the change itself is planned for ${dated(DEFAULT_FLIPS.version, now)}, by KEP-5343, which is still provisional. ` +
        `Some distributions choose for you: Talos sets nftables from Kubernetes ${TALOS_NFTABLES.version} on.`,
    }),
    facts: [
      "claim-1.35-nftables-default",
      "default-mode-iptables",
      "default-nftables-1.40",
      "talos-default-nftables",
    ],
    claim: "false",
    fleetQuestion: "unset",
    related: ["default-changes", "nftables-versions", "see-mode"],
  },
  {
    id: "default-changes",
    question: "When does the default mode change, and whom does it hit?",
    askedAs: [
      "when does nftables become the default",
      "when does the default change",
      "KEP-5343",
      "who is affected by the new default",
      "is nftables default in 1.40",
      "what happens in 1.40 if no mode is set",
      "my mode is empty, what happens",
      "mode unset",
      'mode: ""',
      "blank mode",
    ],
    answer: ({ now }) => ({
      certainty: DEFAULT_FLIPS.certainty,
      text:
        `In ${dated(DEFAULT_FLIPS.version, now)} by the plan of KEP-5343, which is provisional, and it hits every cluster where nobody set a mode. ` +
        "There is no falling back: a node with a kernel below 5.13 is left with a kube-proxy that does not start. " +
        "On newer kernels the mode changes with the upgrade, and with it NodePort addresses, localhost NodePorts, conntrack and firewall behaviour. " +
        `Set the mode yourself before that: mode: iptables keeps things as they are. kubeadm ${KUBEADM_WRITES_MODE.version} and newer writes it for you where it was empty.`,
    }),
    facts: [
      "default-nftables-1.40",
      "default-mode-warning-1.37",
      "kubeadm-writes-mode-1.37",
      "nodeport-primary",
    ],
    fleetQuestion: "unset",
    related: ["default-1.35", "nftables-kernel", "breaks-most"],
  },
  {
    id: "default-warning",
    question: "Why does kube-proxy warn that no mode is set?",
    askedAs: [
      "kube-proxy warning proxy mode not explicitly specified",
      "1.37 warns about default proxy mode",
      "warning about unset mode",
      "default will be switching from iptables to nftables in a future release",
    ],
    answer: ({ now }) => ({
      certainty: DEFAULT_WARNS.certainty,
      text:
        `Because the default is going to change: from ${dated(DEFAULT_WARNS.version, now)} kube-proxy warns when it starts without a mode. ` +
        `It still runs iptables, as every version up to ${addMinor(DEFAULT_FLIPS.version, -1)} does. ` +
        "Setting mode: iptables, or nftables once you have tested it, ends the warning and takes the surprise out of a later upgrade.",
    }),
    facts: ["default-mode-warning-1.37", "default-mode-iptables", "default-nftables-1.40"],
    fleetQuestion: "unset",
    related: ["default-changes", "default-1.35"],
  },
  {
    id: "windows",
    question: "What about Windows nodes?",
    askedAs: [
      "windows nodes kube-proxy",
      "does the ipvs removal affect windows",
      "kernelspace",
      "windows server ipvs",
      "winkernel mode",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Windows nodes are not affected: kube-proxy has one mode there, kernelspace, and neither change touches it. " +
        "They only matter where Windows and Linux share one configuration, because mode: ipvs, iptables or nftables is refused on Windows. " +
        "Keep a DaemonSet and ConfigMap of their own for them.",
    }),
    facts: ["windows-not-affected"],
    related: ["default-changes", "mixed-modes"],
  },
  {
    id: "mixed-modes",
    question: "Can nodes run different modes during a roll-out?",
    askedAs: [
      "mixed modes",
      "mix iptables and nftables nodes",
      "some nodes ipvs some nftables",
      "different proxy mode per node",
      "per node pool proxy mode",
      "canary one node with nftables",
      "can I switch node by node",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: each node's kube-proxy programs only its own kernel, so nodes in different modes can serve one cluster; KEP-5343 supports iptables beside nftables explicitly. " +
        "That makes a canary possible: a second DaemonSet with its own ConfigMap for one labelled pool, with the old one kept off it. " +
        "Do not leave it so for long, because NodePorts and node addresses then behave differently from node to node.",
    }),
    facts: ["mixed-modes-supported"],
    fleetQuestion: "undecided",
    related: ["switch-live", "roll-back", "see-mode"],
  },
];
