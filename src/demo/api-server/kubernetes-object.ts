import { z } from "zod";

const labelsSchema = z.record(z.string(), z.string()).nullish();

const objectSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({
    name: z.string().optional(),
    namespace: z.string().optional(),
    labels: labelsSchema,
    annotations: labelsSchema,
    creationTimestamp: z.string().nullish(),
  }),
});

/** An object as a manifest holds it: what every kind has, and the rest untouched. */
export type KubernetesObject = z.infer<typeof objectSchema>;

/** `document` itself, once it is known to be an object: a parsed copy would have its fields in another order. */
function kubernetesObject(document: unknown): KubernetesObject {
  objectSchema.parse(document);
  return document as KubernetesObject;
}

const listSchema = z.looseObject({ apiVersion: z.string(), kind: z.string(), items: z.array(z.unknown()) });

export interface ListedKind {
  apiVersion: string;
  kind: string;
}

/**
 * The objects in `documents`, Lists opened. `listed` names the kinds that came as a List of their own
 * (`L2AdvertisementList`), which a server has even when the List is empty.
 */
export function objectsOf(documents: readonly unknown[]): {
  objects: KubernetesObject[];
  listed: ListedKind[];
} {
  const objects: KubernetesObject[] = [];
  const listed: ListedKind[] = [];
  for (const document of documents) {
    const list = listSchema.safeParse(document);
    if (!list.success) {
      objects.push(kubernetesObject(document));
      continue;
    }
    const { apiVersion, kind, items } = list.data;
    const of = kind === "List" ? undefined : { apiVersion, kind: kind.replace(/List$/, "") };
    if (of !== undefined) listed.push(of);
    for (const item of items) {
      // Items of a typed list carry no apiVersion and kind of their own.
      objects.push(kubernetesObject(of === undefined ? item : { ...of, ...(item as object) }));
    }
  }
  return { objects, listed };
}

/** The value at `path` (`status.nodeInfo.kernelVersion`), or undefined. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The text or number at `path` as text, or undefined. */
export function textAt(object: unknown, path: string): string | undefined {
  const value = valueAt(object, path);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The list at `path`; an empty one where there is none. */
export function listAt(object: unknown, path: string): readonly unknown[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value : [];
}
