import { RESOURCES, type Resource } from "#src/kubernetes/resources.ts";
import { type KubernetesObject, type ListedKind, listAt, textAt } from "./kubernetes-object.ts";

/** Groups that a kube-apiserver serves itself; the kinds of all others are custom and have to be installed. */
const BUILT_IN_GROUPS = new Set([
  "",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apps",
  "autoscaling",
  "batch",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
]);

export function isBuiltInGroup(group: string): boolean {
  return BUILT_IN_GROUPS.has(group);
}

function kind(group: string, version: string, plural: string, name: string, namespaced: boolean): Resource {
  return { group, version, plural, kind: name, namespaced };
}

/** Kinds served besides those that the audit reads, so that a role which allows too little or too much shows. */
const OTHER_BUILT_IN: readonly Resource[] = [
  kind("", "v1", "namespaces", "Namespace", false),
  kind("", "v1", "secrets", "Secret", true),
  kind("", "v1", "serviceaccounts", "ServiceAccount", true),
  kind("", "v1", "endpoints", "Endpoints", true),
  kind("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true),
  kind("apps", "v1", "replicasets", "ReplicaSet", true),
  kind("networking.k8s.io", "v1", "ingresses", "Ingress", true),
  kind("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true),
  kind("rbac.authorization.k8s.io", "v1", "roles", "Role", true),
  kind("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true),
  kind("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false),
  kind("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false),
  kind("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false),
];

/** Every kind the server has: the built-in ones, and custom ones that a definition, a List or an object shows. */
export function kindsServed(
  objects: readonly KubernetesObject[],
  listed: readonly ListedKind[],
  installed: readonly Resource[] = [],
): Resource[] {
  const known = Object.values<Resource>(RESOURCES);
  const builtIn = [...known.filter(({ group }) => isBuiltInGroup(group)), ...OTHER_BUILT_IN];
  const defined = objects
    .filter((object) => object.kind === "CustomResourceDefinition")
    .flatMap(definedKinds);
  const kinds = new Map(
    [...builtIn, ...installed, ...defined].map((of) => [kindKey(apiVersionOf(of), of.kind), of]),
  );
  for (const object of [...listed, ...objects]) {
    const key = kindKey(object.apiVersion, object.kind);
    if (kinds.has(key)) continue;
    const fromAudit = known.find((of) => kindKey(apiVersionOf(of), of.kind) === key);
    kinds.set(key, fromAudit ?? inferredKind(object, objects));
  }
  return [...kinds.values()];
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === "" ? version : `${group}/${version}`;
}

export function kindKey(apiVersion: string, name: string): string {
  return `${apiVersion} ${name}`;
}

function definedKinds(definition: KubernetesObject): Resource[] {
  return listAt(definition, "spec.versions").map((version) =>
    kind(
      textAt(definition, "spec.group") ?? "",
      textAt(version, "name") ?? "v1",
      textAt(definition, "spec.names.plural") ?? "",
      textAt(definition, "spec.names.kind") ?? "",
      textAt(definition, "spec.scope") === "Namespaced",
    ),
  );
}

function inferredKind(
  { apiVersion, kind: name }: ListedKind,
  objects: readonly KubernetesObject[],
): Resource {
  const [version = "v1", group = ""] = apiVersion.split("/").reverse();
  const namespaced = objects.some(
    (object) =>
      object.kind === name && object.apiVersion === apiVersion && object.metadata.namespace !== undefined,
  );
  return kind(group, version, pluralOf(name), name, namespaced);
}

function pluralOf(name: string): string {
  const singular = name.toLowerCase();
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, "ies");
  return /(s|x|ch)$/.test(singular) ? `${singular}es` : `${singular}s`;
}
