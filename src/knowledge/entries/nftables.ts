import type { Entry } from "../entry.ts";
import {
  DEFAULT_FLIPS,
  dated,
  EKS_NFTABLES,
  IPVS_OFF,
  KUBEADM_KERNELS,
  NFTABLES_BETA,
  NFTABLES_GA,
} from "../versions.ts";

/** What to move to, and what nftables mode needs. */
export const NFTABLES_ENTRIES: readonly Entry[] = [
  {
    id: "nftables-or-iptables",
    question: "Should I move to nftables or to iptables?",
    askedAs: [
      "nftables or iptables",
      "nftables vs iptables",
      "which mode should I choose",
      "what replaces ipvs",
      "what should I move to",
      "where to move from ipvs",
      "ipvs replacement",
      "alternative to ipvs",
      "ipvs vs nftables",
      "nft or ipt",
      "what should I use instead of ipvs",
      "recommended proxy mode",
      "skip nftables and go to iptables",
      "move to iptables instead of nftables",
    ],
    answer: ({ now }) => ({
      certainty: DEFAULT_FLIPS.certainty,
      text:
        `nftables, wherever every Linux node has kernel 5.13 or newer: it is generally available since ${NFTABLES_GA.version}, the planned default from ${dated(DEFAULT_FLIPS.version, now)}, and made for the many Services that ipvs was chosen for. ` +
        "Take iptables where nodes are older, where the network plugin is not ready for nftables, or as a step between: it is not being removed. " +
        "With thousands of Services measure the first sync on a new node first: it can take minutes in both.",
    }),
    facts: ["nftables-stages", "nftables-kernel-5.13", "default-nftables-1.40", "sync-5000-services"],
    fleetQuestion: "ipvs",
    related: ["nftables-kernel", "breaks-most", "switch-live"],
  },
  {
    id: "nftables-kernel",
    question: "Which kernel does nftables mode need?",
    askedAs: [
      "minimum kernel for nftables",
      "is kernel 5.10 enough for nftables",
      "does nftables need 5.13",
      "kube-proxy in nftables mode requires kernel 5.13 or later",
      "nftables kernel version",
      "kernel 5.4 nftables",
      "kernel 5.15 nftables ok?",
      "kernel modules for nftables",
      "AL2 nodes nftables",
      "amazon linux 2 nftables",
      "ubuntu 20.04 nftables kernel",
      "debian 11 nftables",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "5.13 or newer; 5.10 is not enough, whatever older articles say. " +
        "kube-proxy compares the version number only and exits on an older kernel; 1.32.5 and older did not enforce it, because the test was inverted. " +
        "Amazon Linux 2 (5.10), Debian 11 (5.10), Ubuntu 20.04's own 5.4 and RHEL 8 (4.18) are too old; Amazon Linux 2023, Ubuntu 22.04, Debian 12 and RHEL 9 are new enough. " +
        "A custom kernel also needs its nft_fib module.",
    }),
    facts: ["claim-kernel-5.10", "nftables-kernel-5.13", "nftables-kernel-not-enforced-1.32", "nft-fib"],
    claim: "false",
    fleetQuestion: "old-kernel",
    related: ["rhel8", "skip-kernel-check", "kubeadm-kernels"],
  },
  {
    id: "rhel8",
    question: "Does RHEL 8 work with nftables mode?",
    askedAs: [
      "rhel 8 nftables",
      "rocky 8 kernel 4.18",
      "almalinux 8 nftables backport",
      "does red hat backport nftables to 4.18",
      "centos 8",
      "oracle linux 8 kernel",
      "do kernel backports count",
    ],
    answer: ({ now }) => ({
      certainty: "released",
      text:
        "No: RHEL 8 and its rebuilds run kernel 4.18, and kube-proxy wants 5.13 by number, so Red Hat's backports do not count. " +
        `kubeadm has objected to that kernel since 1.32 in any mode. Move those nodes to RHEL 9 or newer (5.14) or pin mode: iptables before ${dated(DEFAULT_FLIPS.version, now)}. ` +
        "Oracle Linux 8 is new enough with its UEK 5.15 kernel.",
    }),
    facts: ["nftables-kernel-5.13", "kubeadm-kernels-1.32", "default-nftables-1.40"],
    fleetQuestion: "old-kernel",
    related: ["nftables-kernel", "default-changes", "kubeadm-kernels"],
  },
  {
    id: "skip-kernel-check",
    question: "Can I skip the kernel check of nftables mode?",
    askedAs: [
      "KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK",
      "bypass kernel check nftables",
      "skipKernelVersionCheck",
      "force nftables on an old kernel",
      "run nftables on kernel 5.10 anyway",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes, but do not in production: a non-empty environment variable KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK turns the check off. " +
        "The check stands in for the age of the host's own nft, which can break kube-proxy's rules or be broken by them. " +
        "There is no configuration field for it. Use a newer node image, or iptables mode meanwhile.",
    }),
    facts: ["nftables-kernel-5.13", "nft-in-image"],
    fleetQuestion: "old-kernel",
    related: ["nftables-kernel", "nftables-or-iptables"],
  },
  {
    id: "nftables-versions",
    question: "Since which Kubernetes version can I use nftables mode?",
    askedAs: [
      "when did nftables become GA",
      "is nftables mode stable",
      "nftables GA 1.33",
      "is nftables generally available since 1.35",
      "is nftables production ready",
      "minimum kubernetes version for nftables",
      "NFTablesProxyMode feature gate",
      "nftables",
    ],
    answer: ({ now }) => ({
      certainty: "released",
      text:
        `nftables mode is generally available since ${dated(NFTABLES_GA.version, now)}, not since 1.35 as one popular table says; it is on by default since ${NFTABLES_BETA.version} and was alpha before. ` +
        "Older versions need the gate NFTablesProxyMode; setting that gate to false is refused once the mode is generally available. " +
        `It is a mode to choose: the default is still iptables below ${DEFAULT_FLIPS.version}. The EKS add-on takes it from ${EKS_NFTABLES.version}.`,
    }),
    facts: ["nftables-stages", "claim-nftables-ga-1.35", "default-nftables-1.40", "eks-nftables-1.33"],
    fleetQuestion: "nftables",
    related: ["nftables-kernel", "default-1.35", "nftables-or-iptables"],
  },
  {
    id: "nft-too-new",
    question: "Can the host's nft be too new for kube-proxy?",
    askedAs: [
      "host nft too new",
      "nft segfault kube-proxy",
      "nft 1.1.3 kube-proxy crash",
      "kube-proxy nftables crash on fedora 43",
      "almalinux 10 rhel 10 kube-proxy nftables crash",
      "does kube-proxy use the nft of the host",
      "which nft version is needed",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: rules that the host's nft 1.1.3 or newer has made (RHEL 10, AlmaLinux 10, Fedora 43) crash the nft in older kube-proxy images when it lists them. " +
        "It is fixed in 1.36.0 and in the patch releases that followed for 1.33, 1.34 and 1.35, so upgrade kube-proxy before switching such nodes. " +
        "kube-proxy never runs the host's nft: it needs nft 1.0.1 or newer in its own image, and official images have it.",
    }),
    facts: ["nft-host-too-new", "nft-host-el10", "nft-in-image"],
    fleetQuestion: "nft-build",
    related: ["bottlerocket", "nftables-kernel", "roll-back"],
  },
  {
    id: "bottlerocket",
    question: "Does nftables mode crash on Bottlerocket with EKS 1.36?",
    askedAs: [
      "bottlerocket 1.36 crash",
      "bottlerocket nftables",
      "kube-proxy segfault bottlerocket",
      "eks 1.36 kube-proxy nftables segfault",
      "bottlerocket kube-proxy eksbuild.9",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "With at least one build, yes: on Bottlerocket with EKS 1.36, kube-proxy v1.36.0-eksbuild.9 in nftables mode was reported to crash at every sync, where ipvs mode had worked. " +
        "Try the newest add-on build on one Bottlerocket node first, and watch kubeproxy_sync_proxy_rules_nftables_sync_failures_total there. " +
        "Until that is clean, stay in the old mode or move to iptables.",
    }),
    facts: ["bottlerocket-1.36-crash", "bottlerocket-network-policy", "nft-host-too-new"],
    fleetQuestion: "nft-build",
    related: ["nft-too-new", "vpc-cni", "set-eks"],
  },
  {
    id: "sync-time",
    question: "How long does nftables take with many Services?",
    askedAs: [
      "nftables sync time",
      "nftables slow with thousands of services",
      "how slow is nftables",
      "nftables performance large cluster",
      "first sync takes minutes",
      "does nftables scale",
      "is ipvs faster than nftables",
      "10000 services kube-proxy",
      "we have 5000 services",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Updates are quick, but the first sync after a start can be slow: 13 to 20 minutes were measured at 5,006 Services with 250,011 endpoints, and the time grows faster than the number of Services. " +
        "Until it ends, a new node does not reach Services, so autoscaled nodes are hit first. " +
        "Measure on one new node with your own numbers: kubeproxy_sync_proxy_rules_duration_seconds. 1.36 improved it; test with the version you will run.",
    }),
    facts: ["sync-5000-services", "sync-44000-services", "sync-cold-start"],
    fleetQuestion: "service-scale",
    related: ["nftables-or-iptables", "switch-live"],
  },
  {
    id: "kubeadm-kernels",
    question: "Does kubeadm refuse old kernels?",
    askedAs: [
      "kubeadm preflight kernel",
      "kubeadm kernel 5.10 refused",
      "kubeadm SystemVerification kernel 4.18",
      "kubeadm upgrade unsupported kernel",
      "kubeadm 5.4 kernel 1.39",
    ],
    answer: ({ now }) => ({
      certainty: KUBEADM_KERNELS.certainty,
      text:
        "It objects, in every proxy mode: kubeadm 1.32 and 1.33 refuse kernels before 4.19, and since 1.34 the check is a warning. " +
        `From ${dated(KUBEADM_KERNELS.version, now)} 5.4 and 5.10 are planned to be off its list as well. ` +
        "The data plane is a separate matter: iptables mode runs on those kernels, nftables mode does not.",
    }),
    facts: ["kubeadm-kernels-1.32", "kubeadm-kernels-1.39", "nftables-kernel-5.13"],
    fleetQuestion: "old-kernel",
    related: ["nftables-kernel", "rhel8", "set-kubeadm"],
  },
  {
    id: "iptables-end",
    question: "Is iptables mode going away too?",
    askedAs: [
      "is iptables mode deprecated",
      "will iptables be removed from kube-proxy",
      "is iptables mode safe to move to",
      "end of iptables mode",
      "iptables legacy kube-proxy",
      "when is iptables mode removed",
    ],
    answer: ({ now }) => ({
      certainty: DEFAULT_FLIPS.certainty,
      text:
        `No: no removal of iptables mode is planned. From ${dated(DEFAULT_FLIPS.version, now)} it is no longer the default, and kube-proxy is to log that it is legacy. ` +
        `Whoever sets mode: iptables keeps it. So iptables is a safe answer to the end of ipvs in ${IPVS_OFF.version} where nftables cannot run yet.`,
    }),
    facts: ["default-nftables-1.40", "default-mode-iptables"],
    fleetQuestion: "old-kernel",
    related: ["nftables-or-iptables", "default-changes", "cleanup"],
  },
];
