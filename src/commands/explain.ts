import { readFile } from "node:fs/promises";
import { CHECKS, type Check, checkById } from "#src/checks/index.ts";
import { closestName } from "#src/inventory/closest-name.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { packageFile } from "#src/package-file.ts";

/**
 * A check and what its folder says about it, as Markdown.
 *
 * @throws ProxyAuditError `not-found`, with the nearest name, or where the folder is not there.
 */
export async function explainCheck(id: string): Promise<{ check: Check; readme: string }> {
  const check = checkById(id);
  if (check === undefined) {
    const nearest = closestName(
      id,
      CHECKS.map((one) => one.id),
    );
    const hint = nearest === undefined ? "proxy-audit explain lists them." : `Did you mean ${nearest}?`;
    throw new ProxyAuditError("not-found", `no check "${id}". ${hint}`);
  }
  return { check, readme: await readFile(packageFile(`src/checks/${check.id}/readme.md`), "utf8") };
}
