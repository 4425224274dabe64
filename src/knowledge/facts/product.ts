import type { Fact } from "#src/timeline/fact.ts";

/** How proxy-audit itself works. */
export const PRODUCT_FACTS = [
  {
    id: "proxy-audit-get-only",
    claim:
      "proxy-audit's Kubernetes client can only GET, and its role has no Secrets, no nodes/proxy and no pods/proxy.",
    source: "proxy-audit, src/kubernetes/https-reader.ts and the shipped ClusterRole",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "nodes-proxy-is-exec",
    claim:
      "The right to get nodes/proxy lets one run commands in any pod of a node, because the kubelet takes WebSocket GETs for exec.",
    source: "pkg/kubelet/server/auth.go in 1.36.2; kubernetes/website#54191",
    sourceUrl: "https://github.com/kubernetes/website/pull/54191",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "proxy-audit-unknown",
    claim:
      "What proxy-audit could not read is reported as unknown with a reason; a verdict that hangs on it is incomplete, never clear.",
    source: "proxy-audit, src/model/observed.ts and src/verdict",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "proxy-audit-waiver",
    claim:
      "A waiver covers the findings that were open under a check when it was made, until it expires; a blocker that is released cannot be waived.",
    source: "proxy-audit, src/model/waiver.ts and src/verdict",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "proxy-audit-fresh",
    claim: "An audit older than maxAuditAge (36 hours by default) makes a verdict incomplete, as stale.",
    source: "proxy-audit, src/verdict",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "proxy-audit-approval",
    claim:
      "An approval is bound to a cluster, a target version and the hash of the audit it was given on: fingerprints, statuses and what was unread.",
    source: "proxy-audit, src/model/waiver.ts and src/verdict",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
  {
    id: "proxy-audit-scope",
    claim:
      "A verdict covers kube-proxy, node kernel and container runtime; it does not cover API removals, storage and admission.",
    source: "proxy-audit, src/verdict",
    checkedAt: "2026-11-30",
    confidence: "high",
    certainty: "released",
  },
] as const satisfies readonly Fact[];
