import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseManifestText } from "#src/kubernetes/manifests.ts";

/** The documents of one YAML or JSON file, Lists as they are. Throws `invalid-manifest` when it cannot be parsed. */
export function readManifest(file: string): unknown[] {
  return parseManifestText(readFileSync(file, "utf8"), file).map(({ value }) => value);
}

/** The documents of all YAML files right in `folder`, in the order of the files' names. */
export function readManifestFolder(folder: string): unknown[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .flatMap((name) => readManifest(join(folder, name)));
}
