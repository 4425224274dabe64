import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { CHECKS, checkById } from "#src/checks/index.ts";
import { closestName } from "#src/inventory/closest-name.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { packageFile } from "#src/package-file.ts";
import { renderReadme } from "#src/report/readme.ts";
import type { CliIo } from "./io.ts";

export function explainCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("explain")
    .description("what a check looks at, why it matters, what to do and how it can be wrong")
    .argument("[check]", "a check, e.g. proxy-mode; without one, the list")
    .action(async (id: string | undefined) => {
      if (id === undefined) {
        const width = Math.max(...CHECKS.map((check) => check.id.length));
        io.stdout(`${CHECKS.map((check) => `${check.id.padEnd(width)}  ${check.title}`).join("\n")}\n`);
      } else {
        const check = checkById(id);
        if (check === undefined) {
          const nearest = closestName(
            id,
            CHECKS.map((one) => one.id),
          );
          const hint = nearest === undefined ? "proxy-audit explain lists them." : `Did you mean ${nearest}?`;
          throw new ProxyAuditError("not-found", `no check "${id}". ${hint}`);
        }
        const text = await readFile(packageFile(`src/checks/${check.id}/readme.md`), "utf8");
        io.stdout(renderReadme(text, { colour: io.colour, columns: io.columns }));
      }
      done(0);
    });
}
