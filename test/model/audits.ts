import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";

/** A finding of `check` about `what`; `what` is what tells two findings of one check apart. */
export function finding(check: string, status: Finding["status"], what = "cluster"): Finding {
  return {
    check,
    about: "upgrade",
    status,
    title: `${check}: ${what}`,
    detail: `What ${check} says about ${what}.`,
    evidence: [],
    fingerprint: `${check}/${what}`,
  };
}

/** An audit of a cluster in ipvs mode with nothing else in it but what the test states. */
export function audit(with_: Partial<ClusterAudit> & { id: string; auditedAt: string }): ClusterAudit {
  return {
    name: with_.id,
    provider: "eks",
    account: null,
    region: null,
    team: null,
    environment: null,
    kubernetesVersion: "1.35",
    kubeProxyVersions: ["1.35"],
    reachable: true,
    dataPlane: {
      mode: "ipvs",
      effectiveMode: "ipvs",
      observedMode: null,
      replacedBy: null,
      managedBy: null,
      otherIpvsUsers: [],
      willStart: true,
      scheduler: null,
      strictARP: null,
      nodePortAddresses: null,
      featureGates: {},
      sources: [],
      ignored: [],
    },
    nodes: { count: 3, belowNftablesKernel: 0, unknownKernel: 0, containerd1: 0, pools: [] },
    findings: [],
    verdicts: {},
    unread: [],
    ...with_,
  };
}
