import { notSeen, type Observed, type Source, seen } from "#src/model/observed.ts";
import type { ClusterReader, Fold, Listed, ListRequest, PodLogRequest } from "./cluster-reader.ts";
import { parseLabelSelector } from "./label-selector.ts";
import type { KubernetesObject, ManifestSet } from "./manifests.ts";
import type { Resource } from "./resources.ts";

/** Groups under which one kind is served too, e.g. Events of `events.k8s.io`. */
const ALSO_IN: Record<string, string[]> = {
  Event: ["events.k8s.io/v1"],
  FelixConfiguration: ["projectcalico.org/v3"],
};

/**
 * Reads a folder of dumped manifests as if it were a cluster. A dump shows what somebody chose to write down:
 * a kind counts as read only if it holds an object or a List of it, otherwise it is `not-requested`; one object
 * by name is `absent` only where a List of its kind was there.
 */
export function createManifestReader(set: ManifestSet, at: string): ClusterReader {
  const byKind = Map.groupBy(set.objects, (object) => `${object.apiVersion}/${object.kind}`);

  function objectsOf(resource: Resource): { objects: KubernetesObject[]; listed: boolean } {
    const versions = [
      resource.group === "" ? resource.version : `${resource.group}/${resource.version}`,
      ...(ALSO_IN[resource.kind] ?? []),
    ];
    const keys = versions.map((version) => `${version}/${resource.kind}`);
    return {
      objects: keys.flatMap((key) => byKind.get(key) ?? []),
      listed: keys.some((key) => set.lists.has(key)),
    };
  }

  return {
    version: async () =>
      notSeen("not-requested", "a dump does not hold the API server's version", source("version", at)),

    async get(resource, where) {
      const { objects, listed } = objectsOf(resource);
      const ref = `${resource.kind} ${where.namespace === undefined ? "" : `${where.namespace}/`}${where.name}`;
      const found = objects.find(
        (object) =>
          object.metadata.name === where.name &&
          (where.namespace === undefined || (object.metadata.namespace ?? "default") === where.namespace),
      );
      if (found) return seen(found.raw as unknown, source(`${found.file}: ${ref}`, at));
      return listed
        ? notSeen("absent", `${ref} is not in the dump's list`, source(ref, at))
        : notSeen("not-requested", `${ref} is not in the dump`, source(ref, at));
    },

    async list<T>(request: ListRequest, fold: Fold<T>): Promise<Observed<Listed<T>>> {
      const { resource, namespace } = request;
      const { objects, listed } = objectsOf(resource);
      if (objects.length === 0 && !listed) {
        return notSeen("not-requested", `no ${resource.kind} in the dump`, source(resource.plural, at));
      }
      const selects = parseLabelSelector(request.labelSelector ?? "");
      if (typeof selects !== "function") {
        return notSeen("invalid", selects.refused, source(resource.plural, at));
      }
      const wanted = objects.filter(
        (object) =>
          (namespace === undefined || (object.metadata.namespace ?? "default") === namespace) &&
          selects(object.metadata.labels ?? {}),
      );
      const taken = request.atMost === undefined ? wanted : wanted.slice(0, request.atMost);
      const value = fold.start();
      fold.add(value, { kind: "objects", items: taken.map((object) => object.raw) });
      const files = new Set(taken.map((object) => object.file));
      const ref = files.size === 1 ? `${[...files][0]}: ${resource.plural}` : resource.plural;
      return seen({ value, count: taken.length, remaining: wanted.length - taken.length }, source(ref, at));
    },

    podProxyMode: async ({ namespace, pod }) =>
      notSeen("not-requested", "a dump does not answer", source(`/proxyMode of ${namespace}/${pod}`, at)),

    podLog: async (request: PodLogRequest) =>
      notSeen(
        "not-requested",
        "a dump holds no logs",
        source(`log of ${request.namespace}/${request.pod}`, at),
      ),

    close: async () => {},
  };
}

function source(ref: string, at: string): Source {
  return { kind: "manifest", ref, at };
}
