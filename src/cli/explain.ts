import { Command } from "commander";
import { CHECKS } from "#src/checks/index.ts";
import { explainCheck } from "#src/commands/explain.ts";
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
        const { readme } = await explainCheck(id);
        io.stdout(renderReadme(readme, { colour: io.colour, columns: io.columns }));
      }
      done(0);
    });
}
