import { createHash } from "node:crypto";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";

/**
 * What an approval is bound to: which findings are open, how bad, from when, and what was unread. No times, so
 * that a daily audit without changes leaves it as it is.
 */
export function auditHashOf(audit: ClusterAudit): string {
  // By code points: an order that depends on a machine's locale would make another hash there.
  const findings = audit.findings
    .map(({ fingerprint, status, blocksFrom, blocksUntil }) => [
      fingerprint,
      status,
      blocksFrom ?? null,
      blocksUntil ?? null,
    ])
    .map((one) => JSON.stringify(one))
    .toSorted();
  const unread = audit.unread.map(({ what, why }) => `${what} ${why}`).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([audit.id, findings, unread]))
    .digest("hex");
}
