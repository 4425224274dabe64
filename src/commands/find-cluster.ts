import { closestName } from "#src/inventory/closest-name.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

/** What a name as people type it stands for. */
export type ClusterMatch =
  | { kind: "one"; audit: ClusterAudit }
  | { kind: "several"; audits: readonly ClusterAudit[] }
  | { kind: "none"; nearest: string | undefined };

/**
 * Clusters by a name as people type it: identifier or name exactly, else a beginning or end of a name, capitals
 * or not.
 */
export function matchCluster(audits: readonly ClusterAudit[], wanted: string): ClusterMatch {
  const exact = audits.filter((audit) => audit.id === wanted || audit.name === wanted);
  const near = exact.length > 0 ? exact : audits.filter((audit) => isNear(audit, wanted.toLowerCase()));
  const [only] = near;
  if (near.length === 1 && only) return { kind: "one", audit: only };
  if (near.length > 1) return { kind: "several", audits: near };
  return {
    kind: "none",
    nearest: closestName(
      wanted,
      audits.map((audit) => audit.name),
    ),
  };
}

function isNear({ id, name }: ClusterAudit, wanted: string): boolean {
  if (wanted === "") return false;
  const lower = name.toLowerCase();
  return lower.startsWith(wanted) || lower.endsWith(wanted) || id.toLowerCase().endsWith(wanted);
}

/**
 * The cluster that a name stands for.
 *
 * @throws ProxyAuditError `not-found` with the nearest name, `usage` where the name fits several.
 */
export function clusterByName(audits: readonly ClusterAudit[], wanted: string): ClusterAudit {
  const match = matchCluster(audits, wanted);
  if (match.kind === "one") return match.audit;
  if (match.kind === "several") {
    const names = match.audits.slice(0, 8).map((audit) => audit.id);
    throw new ProxyAuditError(
      "usage",
      `"${wanted}" fits ${match.audits.length} clusters: ${names.join(", ")}. Give one whole.`,
    );
  }
  const names = audits.map((audit) => audit.name);
  const hint =
    audits.length === 0
      ? "No audits are stored yet: run proxy-audit scan first, or give a source such as --kubeconfig."
      : match.nearest === undefined
        ? `There are: ${names.slice(0, 8).join(", ")}${names.length > 8 ? " and more" : ""}.`
        : `Did you mean ${match.nearest}?`;
  throw new ProxyAuditError("not-found", `no cluster "${wanted}". ${hint}`, { cluster: wanted });
}
