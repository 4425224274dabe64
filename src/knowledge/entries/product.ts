import type { Entry } from "../entry.ts";

/** proxy-audit's own words and rights. */
export const PRODUCT_ENTRIES: readonly Entry[] = [
  {
    id: "unknown",
    question: "What do unknown and incomplete mean here?",
    askedAs: [
      "what does unknown mean",
      "what does incomplete mean",
      "why is my cluster unknown",
      "verdict incomplete",
      "why is the verdict incomplete",
      "what does stale mean",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "unknown means that proxy-audit could not read what a check needs, with the reason beside it: forbidden, unreachable, timeout. " +
        "A verdict is incomplete where no blocker is known but an unknown could hide one at that version, or where the audit is too old (stale). " +
        "Neither ever counts as fine. proxy-audit doctor names the missing permission; an approver may accept a named unknown, with a reason and an expiry.",
    }),
    facts: ["proxy-audit-unknown"],
    fleetQuestion: "undecided",
    related: ["permissions", "waiver", "scope"],
  },
  {
    id: "permissions",
    question: "What does proxy-audit read, and which permissions does it need?",
    askedAs: [
      "what permissions does proxy-audit need",
      "what access does it need",
      "is proxy-audit read-only",
      "does proxy-audit read secrets",
      "which rbac does the auditor need",
      "can proxy-audit change my cluster",
      "does it write to the cluster",
      "what data does proxy-audit collect",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Only reading, by GET: nodes, Services, EndpointSlices, workloads and events by list, and in kube-system (and the namespaces of network plugins) pods, ConfigMaps and, optionally, pod logs. " +
        "No Secrets and no writes. It asks for neither nodes/proxy nor pods/proxy, because the right to GET nodes/proxy lets one run commands in any pod of the node. " +
        "On AWS it lists clusters, node groups, add-ons and insights. proxy-audit doctor shows what is missing.",
    }),
    facts: ["proxy-audit-get-only", "nodes-proxy-is-exec"],
    related: ["unknown", "scope"],
  },
  {
    id: "waiver",
    question: "What is a waiver?",
    askedAs: [
      "how do waivers work",
      "how do I waive a finding",
      "accept the risk of a blocker",
      "suppress a finding",
      "silence or mute a finding",
      "ignore a warning",
      "can a blocker be waived",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "A waiver accepts, with an owner, a reason and an expiry, the findings that are open under one check of one cluster when it is made; findings that appear later are not covered. " +
        "It is applied when a verdict is computed: the finding stays listed, as waived. " +
        "A blocker of released code cannot be waived, because kube-proxy would not start whatever anybody accepts.",
    }),
    facts: ["proxy-audit-waiver"],
    related: ["unknown", "scope"],
  },
  {
    id: "freshness",
    question: "How fresh is an audit?",
    askedAs: [
      "how old is the audit",
      "how often are clusters audited",
      "I fixed it but the finding is still there",
      "re-audit my cluster now",
      "why is the finding still red after the fix",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "Every verdict says when its audit was made; in a fleet that is set up by the schedule, clusters are audited daily. " +
        "An audit older than 36 hours (maxAuditAge, by default) makes a verdict incomplete, as stale, and never clear. " +
        "After a fix, audit that cluster again with proxy-audit scan, or wait for the next run: the state is read live, so nothing stays red for longer.",
    }),
    facts: ["proxy-audit-fresh"],
    related: ["unknown", "scope"],
  },
  {
    id: "approval",
    question: "What does an approval cover?",
    askedAs: [
      "who approves an upgrade",
      "how do approvals work",
      "approve an upgrade",
      "is an approval still valid after a new audit",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "One upgrade: one cluster, one target version and what the audit said when it was given. " +
        "When a later audit differs in findings, statuses or what could not be read, the approval no longer holds and has to be given again. " +
        "Approving a blocked upgrade needs a reason, which is recorded with it.",
    }),
    facts: ["proxy-audit-approval"],
    related: ["waiver", "freshness"],
  },
  {
    id: "scope",
    question: "What does a verdict cover?",
    askedAs: [
      "does clear mean the upgrade is safe",
      "what is checked before an upgrade",
      "what does proxy-audit not check",
      "what does blocked mean",
      "what does clear mean",
      "is it safe to upgrade",
    ],
    answer: () => ({
      certainty: "released",
      text:
        "kube-proxy, node kernel and container runtime, for a target version that kube-proxy and the kubelets move to. " +
        "It does not cover API removals, storage and admission, so clear means that nothing of the former stops the upgrade, not that nothing will. " +
        "blocked means that an unwaived finding stops it at or below that version, and each names its component.",
    }),
    facts: ["proxy-audit-scope"],
    related: ["unknown", "waiver", "selinux-mount"],
  },
];
