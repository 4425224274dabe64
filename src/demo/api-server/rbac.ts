import { z } from "zod";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { ResourceRequest } from "./request-path.ts";

/** One rule of a Role or ClusterRole, with the namespace its binding gives it; left out, it holds everywhere. */
export interface RbacRule {
  verbs: readonly string[];
  apiGroups: readonly string[];
  /** Plurals; subresources as `pods/log`. */
  resources: readonly string[];
  resourceNames?: readonly string[] | undefined;
  namespace?: string | undefined;
}

export function isAllowed(rules: readonly RbacRule[] | "all", request: ResourceRequest): boolean {
  return rules === "all" || rules.some((rule) => covers(rule, request));
}

function covers(rule: RbacRule, request: ResourceRequest): boolean {
  const { verb, group, resource, subresource, namespace, name } = request;
  const asked =
    subresource === "" ? [resource, "*"] : [`${resource}/${subresource}`, `*/${subresource}`, "*"];
  return (
    holds(rule.verbs, verb, "*") &&
    holds(rule.apiGroups, group, "*") &&
    holds(rule.resources, ...asked) &&
    (rule.resourceNames === undefined ||
      rule.resourceNames.length === 0 ||
      holds(rule.resourceNames, name)) &&
    (rule.namespace === undefined || rule.namespace === namespace)
  );
}

function holds(values: readonly string[], ...anyOf: string[]): boolean {
  return anyOf.some((value) => values.includes(value));
}

const rulesSchema = z.array(
  z.object({
    verbs: z.array(z.string()),
    apiGroups: z.array(z.string()).default([]),
    resources: z.array(z.string()).default([]),
    resourceNames: z.array(z.string()).optional(),
  }),
);
const bindingSchema = z.object({
  roleRef: z.object({ kind: z.enum(["Role", "ClusterRole"]), name: z.string() }),
  subjects: z
    .array(z.object({ kind: z.string(), name: z.string(), namespace: z.string().optional() }))
    .default([]),
});

/** What `subject` may do by the Roles, ClusterRoles and bindings among `objects`. */
export function rulesFromManifests(
  objects: readonly KubernetesObject[],
  subject: { user?: string; group?: string },
): RbacRule[] {
  return objects
    .filter(({ kind }) => kind === "RoleBinding" || kind === "ClusterRoleBinding")
    .flatMap((object) => {
      const { roleRef, subjects } = bindingSchema.parse(object);
      const bound = subjects.some(
        ({ kind, name }) =>
          (kind === "User" && name === subject.user) || (kind === "Group" && name === subject.group),
      );
      if (!bound) return [];
      const namespace = object.kind === "RoleBinding" ? (object.metadata.namespace ?? "default") : undefined;
      return rulesOfRole(objects, roleRef, namespace).map((rule) => ({ ...rule, namespace }));
    });
}

function rulesOfRole(
  objects: readonly KubernetesObject[],
  { kind, name }: { kind: string; name: string },
  namespace: string | undefined,
): z.infer<typeof rulesSchema> {
  const role = objects.find(
    (object) =>
      object.kind === kind &&
      object.metadata.name === name &&
      (kind === "ClusterRole" || (object.metadata.namespace ?? "default") === namespace),
  );
  return role === undefined ? [] : rulesSchema.parse(role.rules ?? []);
}
