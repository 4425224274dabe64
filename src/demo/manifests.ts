import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

/** The objects of one YAML or JSON file, Lists as they are. Throws with the file's name when it is not YAML. */
export function readManifest(file: string): unknown[] {
  const documents = parseAllDocuments(readFileSync(file, "utf8"));
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message}`, { cause: error });
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : [value];
  });
}

/** The objects of all YAML files right in `folder`, in the order of the files' names. */
export function readManifestFolder(folder: string): unknown[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .flatMap((name) => readManifest(join(folder, name)));
}
