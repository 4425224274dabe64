import type { Resource } from "#src/kubernetes/resources.ts";
import { apiVersionOf, kindKey, kindsServed } from "./kinds.ts";
import { type KubernetesObject, objectsOf } from "./kubernetes-object.ts";
import type { ResourceRequest } from "./request-path.ts";
import { type StoredObject, storedObject } from "./stored-object.ts";

export interface Collection {
  resource: Resource;
  /** In the order of their keys, as etcd has them. */
  all: readonly StoredObject[];
  byNamespace: ReadonlyMap<string, readonly StoredObject[]>;
  byKey: ReadonlyMap<string, StoredObject>;
}

/** Everything a server holds, grouped by kind and namespace once. */
export interface ObjectIndex {
  resourceVersion: number;
  collections: readonly Collection[];
  /** The collection a request is about, or undefined where the server has no such kind. */
  collectionOf(request: ResourceRequest): Collection | undefined;
}

/** Resource versions of objects count from here, so that no object looks like the first of its cluster. */
const FIRST_RESOURCE_VERSION = 1_000;

export function objectIndex(documents: readonly unknown[], installed: readonly Resource[] = []): ObjectIndex {
  const { objects, listed } = objectsOf(documents);
  const byKind = Map.groupBy(objects, ({ apiVersion, kind }) => kindKey(apiVersion, kind));
  const collections = kindsServed(objects, listed, installed).map((resource) =>
    collectionFrom(resource, byKind.get(kindKey(apiVersionOf(resource), resource.kind)) ?? []),
  );
  const byPath = new Map(
    collections.map((collection) => [pathKey(collection.resource, collection.resource.plural), collection]),
  );
  return {
    resourceVersion: FIRST_RESOURCE_VERSION + objects.length,
    collections,
    collectionOf(request) {
      const found = byPath.get(pathKey(request, request.resource));
      return found !== undefined && (found.resource.namespaced || request.namespace === "")
        ? found
        : undefined;
    },
  };
}

function pathKey({ group, version }: { group: string; version: string }, plural: string): string {
  return `${group}/${version}/${plural}`;
}

function collectionFrom(resource: Resource, objects: readonly KubernetesObject[]): Collection {
  const all = objects
    .map((object, index) => storedObject(object, resource, FIRST_RESOURCE_VERSION + index))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    resource,
    all,
    byNamespace: Map.groupBy(all, ({ namespace }) => namespace),
    byKey: new Map(all.map((stored) => [stored.key, stored])),
  };
}
