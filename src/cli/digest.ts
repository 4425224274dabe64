import { Command, Option } from "commander";
import { digestOf } from "#src/commands/digest.ts";
import { renderDigest } from "#src/report/digest.ts";
import { openExistingStore } from "./audit-options.ts";
import type { CliIo } from "./io.ts";
import { outputOption, viewOptions } from "./view-options.ts";

export function digestCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("digest")
    .description("a team's weekly digest, printed (Slack posts it by itself)")
    .addOption(new Option("--team <team>", "whose").makeOptionMandatory())
    .addOption(new Option("--dry-run", "print and post nothing: what this command always does"))
    .addOption(new Option("--store <file>", "the store (default: the XDG state folder)"))
    .addOption(outputOption())
    .action(async (options: { team: string; store?: string; output: "table" | "json" }) => {
      const store = await openExistingStore(options, io);
      try {
        io.stdout(renderDigest(await digestOf(store, options.team, io.now()), viewOptions(options, io)));
      } finally {
        await store.close();
      }
      done(0);
    });
}
