import type { ScanResult } from "#src/model/cluster-audit.ts";
import { factsBehind } from "./judged-by.ts";

/**
 * What a terminal acts on and JSON allows as it is: C1 controls, direction overrides, invisible characters.
 * Escaped, the text parses to the same value, and `cat` of it is harmless.
 */
const INVISIBLE = /[\x7f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u0080-\u009f]/gu;

/** JSON that is safe to look at; indented by two spaces unless `compact`. */
export function safeJson(value: unknown, layout: "indented" | "compact"): string {
  return JSON.stringify(value, null, layout === "indented" ? 2 : undefined).replace(INVISIBLE, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The scan with the facts it was judged by: `scanResultSchema`, schema version 1. */
export function renderJson(result: ScanResult): string {
  return `${safeJson({ ...result, facts: factsBehind(result) }, "indented")}\n`;
}

/** One line per cluster, each as in the JSON's `clusters`; nothing at all for no clusters. */
export function renderNdjson(result: ScanResult): string {
  return result.clusters.map((cluster) => `${safeJson(cluster, "compact")}\n`).join("");
}

/** Any view as a document of its own. */
export function renderDocument(view: unknown): string {
  return `${safeJson(view, "indented")}\n`;
}
