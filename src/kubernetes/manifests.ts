import { LineCounter, parseAllDocuments } from "yaml";
import { ProxyAuditError } from "#src/model/errors.ts";
import { type YamlPart, yamlParts } from "./yaml-parts.ts";

/** One document of a dump: a Kubernetes object, or something else such as a cloud API's answer. */
export interface ManifestDocument {
  value: Record<string, unknown>;
  file: string;
}

/** Objects of a dump, Lists taken apart, and which kinds it covers. */
export interface ManifestSet {
  objects: KubernetesObject[];
  /** `apiVersion/kind` of Lists that were there, even empty ones: those kinds were read whole. */
  lists: Set<string>;
  others: ManifestDocument[];
  files: number;
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  file: string;
  /** The object as it stood in the file. */
  raw: Record<string, unknown>;
}

/**
 * Documents of one YAML or JSON text. JSON is parsed as JSON and a List in YAML item by item: a YAML parser takes
 * sixty bytes of memory for each byte of text.
 *
 * @throws ProxyAuditError `invalid-manifest`, naming file and line, when the text cannot be parsed.
 */
export function parseManifestText(text: string, file: string): ManifestDocument[] {
  const json = jsonOf(text);
  if (json !== undefined) return documentsOf(json, file);
  return yamlParts(text).flatMap((part) => parseYaml(part, file));
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text.slice(0, 1_000))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // YAML in flow style, or broken: the YAML parser names the line.
    return undefined;
  }
}

function parseYaml({ text, line: firstLine }: YamlPart, file: string): ManifestDocument[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: "1.1",
    uniqueKeys: false,
    lineCounter,
    logLevel: "silent",
  });
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) {
      const line = firstLine + lineCounter.linePos(error.pos[0]).line;
      const reason = error.message.split(" at line ")[0]?.split("\n")[0] ?? "not YAML";
      throw new ProxyAuditError(
        "invalid-manifest",
        `${file}:${line}: ${reason}. Mend the file, or leave it out.`,
      );
    }
    return documentsOf(document.toJS({ maxAliasCount: 100 }), file);
  });
}

function documentsOf(value: unknown, file: string): ManifestDocument[] {
  if (isRecord(value)) return [{ value, file }];
  return Array.isArray(value) ? value.filter(isRecord).map((entry) => ({ value: entry, file })) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sorts documents into Kubernetes objects and others; Lists of any kind are taken apart. */
export function manifestSetOf(documents: readonly ManifestDocument[], files: number): ManifestSet {
  const set: ManifestSet = { objects: [], lists: new Set(), others: [], files };
  for (const document of documents) addDocument(set, document);
  rejectConflicts(set.objects);
  return set;
}

function addDocument(set: ManifestSet, { value, file }: ManifestDocument): void {
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    set.others.push({ value, file });
    return;
  }
  if (kind.endsWith("List") && Array.isArray(value.items)) {
    const itemKind = kind.slice(0, -"List".length);
    if (itemKind !== "") set.lists.add(`${apiVersion}/${itemKind}`);
    for (const item of value.items) {
      // Items of a typed list carry neither apiVersion nor kind.
      if (isRecord(item)) addDocument(set, { value: { apiVersion, kind: itemKind, ...item }, file });
    }
    return;
  }
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  const name = typeof metadata.name === "string" ? metadata.name : "";
  const namespace = typeof metadata.namespace === "string" ? { namespace: metadata.namespace } : {};
  const labels = isRecord(metadata.labels) ? { labels: metadata.labels as Record<string, string> } : {};
  set.objects.push({ apiVersion, kind, metadata: { name, ...namespace, ...labels }, file, raw: value });
}

/** Two different objects of one name mean two clusters in one dump: an answer about both would be wrong. */
function rejectConflicts(objects: KubernetesObject[]): void {
  const first = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const { name, namespace = "" } = object.metadata;
    const key = `${object.apiVersion}/${object.kind}/${namespace}/${name}`;
    const earlier = first.get(key);
    if (!earlier) {
      first.set(key, object);
      continue;
    }
    if (JSON.stringify(earlier.raw) === JSON.stringify(object.raw)) continue;
    throw new ProxyAuditError(
      "invalid-manifest",
      `two different ${object.kind} ${namespace === "" ? name : `${namespace}/${name}`}: in ${earlier.file} and ` +
        `in ${object.file}. Give each cluster's folder by its own --manifests.`,
    );
  }
}
