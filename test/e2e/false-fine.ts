import { auditCluster } from "#src/audit/audit-cluster.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { defaultTargets } from "#src/verdict/targets.ts";
import { verdictOf } from "#src/verdict/verdict.ts";
import { type Fault, faultyReader, type Read } from "./faulty-reader.ts";
import { NOW } from "./run-cli.ts";

/** The audit of a cluster in which the reads that `fails` names fail; `reads` collects what was read. */
export async function auditWith(
  cluster: InventoryCluster,
  fails: (read: Read) => Fault | null = () => null,
  reads = new Map<string, Read>(),
): Promise<ClusterAudit> {
  const open: InventoryCluster["open"] = async (limits) => {
    const reader = await cluster.open(limits);
    return "seen" in reader ? reader : faultyReader(reader, reads, fails);
  };
  return auditCluster({ ...cluster, open }, { now: NOW, logs: 3 });
}

const CORE_GROUPS = new Set(["", "apps", "batch", "discovery.k8s.io", "events.k8s.io"]);

/**
 * Where 404 is an answer: a custom kind that is not installed, and one object that does not exist. A list of a
 * built-in kind cannot be absent: something that is not the API server answered.
 */
export function absentIsAnswer(read: Read): boolean {
  return read.verb !== "list" || read.resource === null || !CORE_GROUPS.has(read.resource.group);
}

/**
 * Passes that an unread thing leaves standing, because what they say was read in full: kernels are told by the
 * nodes alone, whatever does Services on them (`node-kernel` says `info` where kube-proxy is replaced).
 */
function standsAlone(check: string, faulty: ClusterAudit): boolean {
  return check === "node-kernel" && !faulty.unread.some(({ what }) => what === "nodes");
}

/**
 * What is fine in the faulty audit and was not in the whole one: findings that became `pass`, and verdicts that
 * became clear. Empty where no read that failed was taken for good news.
 */
export function falselyFine(whole: ClusterAudit, faulty: ClusterAudit): string[] {
  const passed = new Set(whole.findings.filter(isPass).map((finding) => finding.fingerprint));
  const passes = faulty.findings
    .filter((finding) => isPass(finding) && !passed.has(finding.fingerprint))
    .filter((finding) => !standsAlone(finding.check, faulty))
    .map((finding) => `${finding.check} passes: ${finding.title}`);
  const targets = new Set(["1.39", ...defaultTargets(whole), "1.40", "1.43"]);
  const verdicts = [...targets].flatMap((target) => {
    const before = verdictOf(whole, target, { now: NOW }).verdict;
    const after = verdictOf(faulty, target, { now: NOW }).verdict;
    const cleared = after.startsWith("clear") && !before.startsWith("clear");
    return cleared ? [`${target} is ${after}, was ${before}`] : [];
  });
  return [...passes, ...verdicts];
}

function isPass(finding: Finding): boolean {
  return finding.status === "pass";
}
