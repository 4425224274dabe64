import { judgeEvidence } from "#src/audit/audit-cluster.ts";
import type { Evidence } from "#src/evidence/evidence.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Waiver } from "#src/model/waiver.ts";
import { evidenceIn, NOW } from "../checks/judge-manifests.ts";
import { audit } from "../model/audits.ts";

export { NOW } from "../checks/judge-manifests.ts";

/** The audit of a manifest set of the checks' tests, by the real path. */
export async function auditOf(
  folder: string,
  change?: (evidence: Evidence) => Evidence,
): Promise<ClusterAudit> {
  return judgeEvidence(await evidenceIn(folder, change === undefined ? {} : { change }), NOW);
}

/** An audit with these findings and nothing else to say. */
export function auditWith(findings: Finding[], parts: Partial<ClusterAudit> = {}): ClusterAudit {
  return audit({
    id: "manifests:payments",
    name: "payments",
    provider: "unknown",
    kubernetesVersion: "1.36",
    kubeProxyVersions: ["1.36"],
    auditedAt: NOW.toISOString(),
    nodes: { count: 0, belowNftablesKernel: 0, unknownKernel: 0, containerd1: 0, pools: [] },
    findings,
    ...parts,
  });
}

/** A finding of proxy-mode that blocks from 1.40 (planned), where nothing else is said. */
export function findingWith(parts: Partial<Finding> = {}): Finding {
  return {
    check: "proxy-mode",
    about: "upgrade",
    status: "warning",
    title: "kube-proxy runs in ipvs mode",
    detail: "",
    evidence: [],
    blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
    fingerprint: "proxy-mode/manifests:payments/ipvs",
    ...parts,
  };
}

/** A waiver of that finding, in force for a year. */
export function waiverWith(parts: Partial<Waiver> = {}): Waiver {
  return {
    id: "w1",
    clusterId: "manifests:payments",
    check: "proxy-mode",
    accepts: "finding",
    fingerprints: ["proxy-mode/manifests:payments/ipvs"],
    reason: "the cluster is replaced in spring",
    ticket: null,
    owner: "release-managers",
    createdAt: "2026-11-01T00:00:00Z",
    expiresAt: "2027-11-01T00:00:00Z",
    ...parts,
  };
}
