import { closestName } from "#src/inventory/closest-name.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

/**
 * Clusters by a name as people type it: identifier or name exactly, else a unique beginning or end of a name.
 *
 * @throws ProxyAuditError `not-found` with the nearest name, `usage` where the name fits several.
 */
export function clusterByName(audits: readonly ClusterAudit[], wanted: string): ClusterAudit {
  const exact = audits.filter((audit) => audit.id === wanted || audit.name === wanted);
  const near =
    exact.length > 0
      ? exact
      : audits.filter(
          (audit) =>
            audit.name.startsWith(wanted) || audit.name.endsWith(wanted) || audit.id.endsWith(wanted),
        );
  const [only] = near;
  if (near.length === 1 && only) return only;
  if (near.length > 1) {
    const names = near.slice(0, 8).map((audit) => audit.id);
    throw new ProxyAuditError(
      "usage",
      `"${wanted}" fits ${near.length} clusters: ${names.join(", ")}. Give one whole.`,
    );
  }
  const names = audits.map((audit) => audit.name);
  const nearest = closestName(wanted, names);
  const hint =
    audits.length === 0
      ? "No audits are stored yet: run proxy-audit scan first, or give a source such as --kubeconfig."
      : nearest === undefined
        ? `There are: ${names.slice(0, 8).join(", ")}${names.length > 8 ? " and more" : ""}.`
        : `Did you mean ${nearest}?`;
  throw new ProxyAuditError("not-found", `no cluster "${wanted}". ${hint}`, { cluster: wanted });
}
