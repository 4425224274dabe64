import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ManifestDocument,
  type ManifestSet,
  manifestSetOf,
  parseManifestText,
} from "#src/kubernetes/manifests.ts";

/** The documents of one YAML or JSON file. Throws `invalid-manifest` when it cannot be parsed. */
export function readManifest(file: string): ManifestDocument[] {
  return parseManifestText(readFileSync(file, "utf8"), file);
}

/** What all YAML and JSON files of `folder` and the folders in it hold. */
export function readManifestFolder(folder: string): ManifestSet {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
  return manifestSetOf(
    files.flatMap((name) => readManifest(join(folder, name))),
    files.length,
  );
}
