import { createHash } from "node:crypto";
import type { Resource } from "#src/kubernetes/resources.ts";
import { goJson } from "./go-json.ts";
import { apiVersionOf, isBuiltInGroup } from "./kinds.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** One object, with the JSON of each representation made once, when it is first asked for. */
export interface StoredObject {
  object: KubernetesObject;
  /** `namespace/name`, or the name where the kind has no namespaces: the order of lists over all namespaces. */
  key: string;
  name: string;
  namespace: string;
  /** As an item of a list: built-in kinds leave out `kind` and `apiVersion`, custom ones keep them. */
  itemJson(): string;
  /** As the answer to a GET. */
  objectJson(): string;
  /** PartialObjectMetadata. */
  metadataJson(): string;
}

export function storedObject(object: KubernetesObject, of: Resource, resourceVersion: number): StoredObject {
  const name = object.metadata.name ?? "";
  const namespace = of.namespaced ? (object.metadata.namespace ?? "default") : "";
  const key = namespace === "" ? name : `${namespace}/${name}`;
  const metadata = metadataOf(object, of, name, namespace, resourceVersion);
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = object;
  const head = { kind: of.kind, apiVersion: apiVersionOf(of) };
  const item = isBuiltInGroup(of.group) ? { metadata, ...rest } : { ...head, metadata, ...rest };
  const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  return {
    object,
    key,
    name,
    namespace,
    itemJson: once(() => goJson(item)),
    objectJson: once(() => goJson({ ...head, metadata, ...rest })),
    metadataJson: once(() => goJson(partial)),
  };
}

/** What every stored object has, whether its manifest says so or not. */
function metadataOf(
  object: KubernetesObject,
  of: Resource,
  name: string,
  namespace: string,
  resourceVersion: number,
): Record<string, unknown> {
  const { name: _name, namespace: _namespace, uid, resourceVersion: given, ...rest } = object.metadata;
  return {
    name,
    ...(namespace === "" ? {} : { namespace }),
    uid: uid ?? uidOf(`${of.group}/${of.plural}/${namespace}/${name}`),
    resourceVersion: given ?? String(resourceVersion),
    ...rest,
  };
}

/** A UUID that stays the same from start to start. */
function uidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
