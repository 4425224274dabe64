import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES, type Resource } from "#src/kubernetes/resources.ts";
import type { NotSeen, Observed, Unseen } from "#src/model/observed.ts";

/** Namespaces in which the role reads pods, their logs and ConfigMaps (infra/kubernetes/rbac.yaml). */
const POD_NAMESPACES = ["kube-system", "openshift-kube-proxy"] as const;

/** Namespaces in which it reads ConfigMaps alone: where CNIs and MetalLB keep their configuration. */
const CONFIG_NAMESPACES = ["calico-system", "tigera-operator", "kube-flannel", "metallb-system"] as const;

/** A pod that need not exist: the permission is checked before the name is looked up. */
const NO_SUCH = "proxy-audit-doctor";

export interface PermissionRow {
  /** `list nodes`, `get configmaps in kube-system`. */
  permission: string;
  /** `granted`, or why it was not seen to be. */
  outcome: "granted" | Exclude<Unseen, "absent">;
  detail: string;
  /** The RBAC rule to add, as YAML; null where nothing is missing. */
  add: string | null;
}

/**
 * Which permission is missing, found by asking for each with GET: a SelfSubjectAccessReview would be a POST. A
 * list asks for one item; a ConfigMap is asked for by a name that need not exist, since 404 shows the permission
 * as well as 200 does.
 */
export async function permissionsOf(reader: ClusterReader): Promise<PermissionRow[] | NotSeen> {
  const version = await reader.version();
  // Every authenticated user may read the version: without it nothing says anything about permissions.
  if (version.seen === false && version.why !== "forbidden") return version;
  const rows: PermissionRow[] = [];
  for (const resource of Object.values(RESOURCES)) {
    if (resource === RESOURCES.pods || resource === RESOURCES.configMaps) continue;
    rows.push(rowOf(resource, "list", null, await listOne(reader, resource)));
  }
  for (const namespace of POD_NAMESPACES) {
    rows.push(rowOf(RESOURCES.pods, "list", namespace, await listOne(reader, RESOURCES.pods, namespace)));
    rows.push(
      rowOf(RESOURCES.pods, "get", namespace, await reader.get(RESOURCES.pods, { namespace, name: NO_SUCH })),
    );
    const log = await reader.podLog({ namespace, pod: NO_SUCH, limitBytes: 1 });
    rows.push(rowOf({ ...RESOURCES.pods, plural: "pods/log" }, "get", namespace, log));
  }
  for (const namespace of [...POD_NAMESPACES, ...CONFIG_NAMESPACES]) {
    const configMap = await reader.get(RESOURCES.configMaps, { namespace, name: "kube-proxy" });
    rows.push(rowOf(RESOURCES.configMaps, "get", namespace, configMap));
  }
  return rows;
}

async function listOne(
  reader: ClusterReader,
  resource: Resource,
  namespace?: string,
): Promise<Observed<unknown>> {
  const where = namespace === undefined ? {} : { namespace };
  return reader.list(
    { resource, ...where, as: "metadata", pageSize: 1, atMost: 1 },
    { start: () => null, add: () => undefined },
  );
}

function rowOf(
  resource: Resource,
  verb: "get" | "list",
  namespace: string | null,
  read: Observed<unknown>,
): PermissionRow {
  const name = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  const permission = `${verb} ${name}${namespace === null ? "" : ` in ${namespace}`}`;
  if (read.seen !== false || read.why === "absent")
    return { permission, outcome: "granted", detail: "", add: null };
  const rule = `- apiGroups: ["${resource.group}"]\n  resources: [${resource.plural}]\n  verbs: [${verb}]`;
  const kind = namespace === null ? "ClusterRole proxy-audit-read" : `Role proxy-audit-read in ${namespace}`;
  return {
    permission,
    outcome: read.why,
    detail: read.detail,
    add: read.why === "forbidden" ? `# ${kind}\n${rule}` : null,
  };
}
