import { type Document, isMap, isScalar, parseAllDocuments, visit } from "yaml";
import type { z } from "zod";
import { type KubeProxyConfiguration, kubeProxyConfigurationSchema } from "./proxy-config-schema.ts";

export type { KubeProxyConfiguration } from "./proxy-config-schema.ts";

/** What can be read of a configuration that kube-proxy does not accept: what its author seems to have wanted. */
export interface PartialConfiguration {
  mode?: string;
  featureGates?: Record<string, boolean>;
  nodePortAddresses?: string[];
  scheduler?: string;
}

/** `strictErrors`: unknown and duplicate fields, which kube-proxy logs and then ignores. */
export type DecodedConfig =
  | { ok: true; config: KubeProxyConfiguration; strictErrors: string[] }
  | { ok: false; error: string; partial: PartialConfiguration };

/**
 * Decodes a kube-proxy configuration file as kube-proxy 1.36 does (options.go: strict first, then lenient): JSON or
 * YAML 1.1, the first document only, case-sensitive keys, the last of duplicate keys, unknown fields dropped. A value
 * of the wrong type, another API version and a syntax error are fatal there, and `ok: false` here.
 */
export function decodeKubeProxyConfiguration(text: string): DecodedConfig {
  const parsed = parseDocument(text);
  if ("error" in parsed) return { ok: false, error: parsed.error, partial: {} };
  const { value, duplicates } = parsed;
  if (!isRecord(value)) return { ok: false, error: "Object 'Kind' is missing", partial: {} };
  const partial = partialOf(value);
  const unknownKind = kindError(value);
  if (unknownKind !== null) return { ok: false, error: unknownKind, partial };

  const strict = kubeProxyConfigurationSchema.safeParse(value);
  if (strict.success) return { ok: true, config: strict.data, strictErrors: duplicates };
  const unknown = strict.error.issues.flatMap(unknownFields);
  const lenient = kubeProxyConfigurationSchema.safeParse(without(value, unknown));
  if (!lenient.success) return { ok: false, error: typeErrors(lenient.error), partial };
  const unknownErrors = unknown.map((path) => `unknown field "${path.join(".")}"`);
  return { ok: true, config: lenient.data, strictErrors: [...duplicates, ...unknownErrors] };
}

type Parsed = { value: unknown; duplicates: string[] } | { error: string };

function parseDocument(text: string): Parsed {
  if (text.trimStart().startsWith("{")) {
    // JSON indented with tabs is no YAML; kube-proxy tries JSON first.
    const json = jsonOf(text);
    if (json !== undefined) return { value: json, duplicates: [] };
  }
  try {
    const document = parseAllDocuments(text, {
      version: "1.1",
      uniqueKeys: false,
      // Go's YAML knows neither sexagesimal numbers (`10:30`) nor, in JSON, timestamps.
      customTags: (tags) =>
        tags.filter(
          (tag) =>
            typeof tag === "string" || (tag.tag !== "tag:yaml.org,2002:timestamp" && tag.format !== "TIME"),
        ),
    });
    const first = "empty" in document ? undefined : document[0];
    if (first === undefined) return { value: null, duplicates: [] };
    const [error] = first.errors;
    if (error !== undefined) return { error: `yaml: ${firstLine(error.message)}` };
    return { value: first.toJS(), duplicates: duplicateKeys(first) };
  } catch (error) {
    return { error: `yaml: ${firstLine(error instanceof Error ? error.message : String(error))}` };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}

function duplicateKeys(document: Pick<Document, "contents">): string[] {
  const duplicates: string[] = [];
  if (document.contents === null || !isMap(document.contents)) return duplicates;
  visit(document.contents, {
    Map(_, map) {
      const keys = map.items.map(({ key }) => String(isScalar(key) ? key.value : key));
      const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
      duplicates.push(...repeated.map((key) => `key "${key}" already set in map`));
    },
  });
  return duplicates;
}

function kindError(value: Record<string, unknown>): string | null {
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || kind === "") return "Object 'Kind' is missing";
  if (typeof apiVersion !== "string" || apiVersion === "") return "Object 'apiVersion' is missing";
  const { shape } = kubeProxyConfigurationSchema;
  if (shape.apiVersion.safeParse(apiVersion).success && shape.kind.safeParse(kind).success) return null;
  const what = shape.kind.safeParse(kind).success ? "unknown version" : "unknown kind";
  return `${what}: no kind "${kind}" is registered for version "${apiVersion}"`;
}

type Path = PropertyKey[];

function unknownFields(issue: z.core.$ZodIssue): Path[] {
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [];
}

function without(value: Record<string, unknown>, paths: readonly Path[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    let parent: unknown = copy;
    for (const key of path.slice(0, -1)) parent = isRecord(parent) ? parent[String(key)] : undefined;
    if (isRecord(parent)) delete parent[String(path.at(-1))];
  }
  return copy;
}

function typeErrors(error: z.ZodError): string {
  const errors = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  return `failed to decode: ${errors.join("; ")}`;
}

function partialOf(value: Record<string, unknown>): PartialConfiguration {
  const { mode, featureGates, nodePortAddresses, ipvs } = value;
  const partial: PartialConfiguration = {};
  if (typeof mode === "string") partial.mode = mode;
  if (isRecord(featureGates)) {
    const known = Object.entries(featureGates).filter(([, on]) => typeof on === "boolean");
    partial.featureGates = Object.fromEntries(known.map(([name, on]) => [name, on === true]));
  }
  if (Array.isArray(nodePortAddresses)) partial.nodePortAddresses = nodePortAddresses.map(String);
  if (isRecord(ipvs) && typeof ipvs.scheduler === "string") partial.scheduler = ipvs.scheduler;
  return partial;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
