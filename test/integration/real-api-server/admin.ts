import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { RESOURCES, type Resource, resourcePath } from "#src/kubernetes/resources.ts";
import type { ControlPlane } from "./control-plane.ts";

type Json = Record<string, unknown>;

const RBAC = "rbac.authorization.k8s.io";
const kindOf = (group: string, plural: string, kind: string, namespaced: boolean): Resource => ({
  group,
  version: "v1",
  plural,
  kind,
  namespaced,
});

/** What is written here and never read by an audit. */
const ALSO_WRITTEN = [
  kindOf("", "namespaces", "Namespace", false),
  kindOf(RBAC, "clusterroles", "ClusterRole", false),
  kindOf(RBAC, "clusterrolebindings", "ClusterRoleBinding", false),
  kindOf(RBAC, "roles", "Role", true),
  kindOf(RBAC, "rolebindings", "RoleBinding", true),
  kindOf("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
];

/** Kinds whose status a create drops: it is written afterwards. */
const STATUS_APART = new Set([
  "Node",
  "Pod",
  "DaemonSet",
  "Deployment",
  "StatefulSet",
  "Job",
  "CronJob",
  "Service",
]);

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
type KubernetesObject = z.infer<typeof objectSchema>;

/** Creates the objects as their cluster's administrator; what the server refuses, with its reason. */
export async function load(server: ControlPlane, manifests: readonly unknown[]): Promise<string[]> {
  const objects = manifests.map((manifest) => objectSchema.parse(manifest));
  const refused: string[] = [];
  for (const object of [...namespacesOf(objects), ...customKindsOf(objects), ...objects]) {
    const resource = resourceOf(object);
    if (resource === undefined) continue;
    const problem = await create(server, resource, object);
    if (problem !== null) refused.push(`${object.kind} ${object.metadata.name}: ${problem}`);
  }
  return refused;
}

/** Every object of the kinds that an audit reads, as the server has them. */
export async function readBack(server: ControlPlane): Promise<Json[]> {
  const lists = await Promise.all(
    Object.values(RESOURCES).map(async (resource): Promise<Json[]> => {
      const { status, body } = await call(server, "GET", resourcePath(resource));
      if (status === 404) return [];
      const { items } = z.object({ items: z.array(z.record(z.string(), z.unknown())) }).parse(body);
      return items.map((item) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...item }));
    }),
  );
  return lists.flat();
}

function namespacesOf(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  return [...names].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}

function customKindsOf(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const custom = Object.values(RESOURCES).filter(
    ({ group }) => group.includes(".") && !group.endsWith("k8s.io"),
  );
  return custom
    .filter(({ kind, group }) => objects.some((one) => one.kind === kind && one.apiVersion.startsWith(group)))
    .map(({ group, version, plural, kind, namespaced }) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: namespaced ? "Namespaced" : "Cluster",
        names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    }));
}

function resourceOf({ apiVersion, kind }: KubernetesObject): Resource | undefined {
  return [...Object.values(RESOURCES), ...ALSO_WRITTEN].find(
    (resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion,
  );
}

function apiVersionOf({ group, version }: Resource): string {
  return group === "" ? version : `${group}/${version}`;
}

const SET_BY_THE_SERVER = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "managedFields",
  "selfLink",
];

async function create(
  server: ControlPlane,
  resource: Resource,
  object: KubernetesObject,
): Promise<string | null> {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([key]) => !SET_BY_THE_SERVER.includes(key)),
  );
  const where = resource.namespaced ? { namespace: object.metadata.namespace ?? "default" } : {};
  const path = resourcePath(resource, where);
  const created = await untilServed(() => call(server, "POST", path, { ...object, metadata }));
  // The server makes some by itself: namespace kube-system, Service kubernetes.
  if (created.status === 409) return null;
  if (created.status !== 201) return messageOf(created.body);
  if (object.status === undefined || !STATUS_APART.has(object.kind)) return null;
  const name = encodeURIComponent(object.metadata.name);
  const body = { ...(created.body as Json), status: object.status };
  const updated = await call(server, "PUT", `${path}/${name}/status`, body);
  return updated.status === 200 ? null : `status: ${messageOf(updated.body)}`;
}

/** A custom kind is served, and a priority class is known, a moment after the server said that it is ready. */
async function untilServed(post: () => Promise<Called>): Promise<Called> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await post();
    const early =
      answer.status === 404 || (answer.status === 403 && /priority/i.test(messageOf(answer.body)));
    if (!early || attempt >= 40) return answer;
    await pause(250);
  }
}

interface Called {
  status: number;
  body: unknown;
}

function messageOf(body: unknown): string {
  const parsed = z.object({ message: z.string() }).safeParse(body);
  return parsed.success ? parsed.data.message : JSON.stringify(body);
}

function call(
  { url, ca, admin }: ControlPlane,
  method: string,
  path: string,
  body?: unknown,
): Promise<Called> {
  const headers = {
    authorization: `Bearer ${admin}`,
    accept: "application/json",
    "content-type": "application/json",
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, ca, agent: false, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        try {
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
        } catch {
          resolve({ status: answer.statusCode ?? 0, body: { message: text } });
        }
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
