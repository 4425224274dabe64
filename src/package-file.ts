import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProxyAuditError } from "#src/model/errors.ts";

/**
 * A file or folder that is shipped with the package, by its path from the package's root: the same from the
 * sources and from the bundle in `dist`.
 *
 * @throws ProxyAuditError `not-found` when it is not there, as in a bundle that was copied away alone.
 */
export function packageFile(path: string): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, path);
    if (existsSync(join(folder, "package.json")) && existsSync(found)) return found;
  }
  throw new ProxyAuditError("not-found", `${path} is missing here. Run it from the whole package.`);
}
