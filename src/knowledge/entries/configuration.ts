import type { Entry } from "../entry.ts";
import { DEFAULT_FLIPS } from "../versions.ts";

/** How kube-proxy is configured, and how its mode shows. */
export const CONFIGURATION_ENTRIES: readonly Entry[] = [
  {
    id: "flag-or-file",
    question: "Does the --proxy-mode flag beat the configuration file?",
    askedAs: [
      "proxy-mode flag vs config file",
      "does --proxy-mode override the config",
      "flag or config file",
      "kube-proxy --config and --proxy-mode",
      "I set --proxy-mode but nothing changes",
      "which wins flag or configmap",
      "are kube-proxy flags ignored",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No: with --config, kube-proxy takes the file and ignores nearly every other flag without a word, --proxy-mode and --feature-gates among them. " +
        "Only --hostname-override, logging flags and a few others still count. " +
        "Without --config the flags decide. Lines such as FLAG: --proxy-mode in the log show the flag, not the mode that runs.",
    }),
    facts: ["claim-flag-overrides-file", "flags-ignored-with-config"],
    claim: "false",
    related: ["see-mode", "config-not-taken", "mode-spelling"],
  },
  {
    id: "config-not-taken",
    question: "Why does my ConfigMap change have no effect?",
    askedAs: [
      "I edited the kube-proxy configmap and nothing happened",
      "does kube-proxy reload its config",
      "do I need to restart kube-proxy after changing the mode",
      "configmap says nftables but ipvs is running",
      "configured mode differs from running mode",
      "proxy mode drift",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Because kube-proxy reads its configuration when it starts: restart the pods, for instance with kubectl -n kube-system rollout restart daemonset kube-proxy. " +
        "Until then the old mode runs on, and the next node, reboot or upgrade switches the mode by surprise; proxy-audit reports that as drift. " +
        "If it is still the old mode afterwards, something may have put the ConfigMap back: an operator, an add-on manager or GitOps.",
    }),
    facts: ["config-read-at-start", "kubeadm-keeps-config"],
    related: ["see-mode", "flag-or-file", "kubeadm-upgrade"],
  },
  {
    id: "mode-spelling",
    question: "Does it matter how the mode is written?",
    askedAs: [
      "is the mode case sensitive",
      "mode: IPVS",
      "mode: Nftables uppercase",
      'Mode.ProxyMode: Invalid value: "ipvs"',
      "must be iptables, ipvs, nftables or blank",
      "invalid proxy mode",
      "spelling of the proxy mode",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Yes: kube-proxy compares it exactly, so IPVS, Nftables or a trailing space is refused and kube-proxy does not start. " +
        `The key counts too: Mode: with a capital is an unknown field and is dropped, which leaves the mode unset (and lets the default of ${DEFAULT_FLIPS.version} change it). ` +
        "Where ipvs itself is called an invalid value, the gate KubeProxyIPVS is off. Providers differ: AKS (NFTABLES) and Gardener (NFTables) write it differently in their own APIs.",
    }),
    facts: ["mode-is-exact", "ipvs-gate-1.37", "provider-aks", "provider-gardener"],
    fleetQuestion: "undecided",
    related: ["falls-back", "default-changes"],
  },
  {
    id: "see-mode",
    question: "How do I see what mode a node runs?",
    askedAs: [
      "how to check kube-proxy mode",
      "which proxy mode am I running",
      "am I using ipvs",
      "am I on ipvs",
      "do I run ipvs",
      "do we have ipvs clusters",
      "which of my clusters run ipvs",
      "how do I find out if a cluster uses ipvs",
      "curl localhost:10249/proxyMode",
      "Using ipvs Proxier",
      "detect ipvs",
      "check if ipvs is enabled",
      "is my cluster affected",
      "what mode do I run",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "On the node, curl http://localhost:10249/proxyMode answers with it. " +
        'From outside, the first lines of the kube-proxy pod\'s log say "Using ipvs Proxier" or the like, once per start; the configuration says only what the next start will run. ' +
        "An IPVSDeprecation event proves ipvs. ip link show kube-ipvs0 shows ipvs or its leftovers. " +
        "For many clusters at once: proxy-audit scan --all-contexts.",
    }),
    facts: ["mode-endpoint", "mode-in-log", "ipvs-warning-1.35"],
    fleetQuestion: "undecided",
    related: ["mode-metric", "config-not-taken", "unknown"],
  },
  {
    id: "mode-metric",
    question: "Which metric tells me the mode?",
    askedAs: [
      "prometheus metric proxy mode",
      "metric for kube-proxy mode",
      "find ipvs clusters with prometheus",
      "kubeproxy_sync_proxy_rules_iptables_total",
      "promql kube-proxy mode",
      "kubeproxy_proxy_mode",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "None names it, but each mode registers metrics of its own: kubeproxy_sync_proxy_rules_iptables_total exists in iptables mode only, and kubeproxy_sync_proxy_rules_nftables_sync_failures_total in nftables mode only. " +
        "ipvs shows by what is missing: kube-proxy's sync metrics without the ones of iptables and nftables. " +
        "Failure counters have no series before the first failure, so a missing one proves nothing alone. Scraping needs metricsBindAddress changed from loopback.",
    }),
    facts: ["metrics-by-mode", "sync-metrics", "mode-endpoint"],
    related: ["see-mode", "metrics-address", "localhost-metric"],
  },
  {
    id: "metrics-address",
    question: 'Does metricsBindAddress: "" disable metrics?',
    askedAs: [
      "metricsBindAddress empty",
      "how do I disable kube-proxy metrics",
      "metricsBindAddress",
      "why can prometheus not scrape kube-proxy",
      "turn off metrics port 10249",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "No: in a configuration file an empty metricsBindAddress means the default, 127.0.0.1:10249. " +
        "So metrics are served, but only on the node itself. " +
        "To scrape them, set 0.0.0.0:10249 and protect the port, as EKS and AKS do.",
    }),
    facts: ["claim-empty-metrics-address", "mode-endpoint"],
    claim: "false",
    related: ["mode-metric", "see-mode"],
  },
];
