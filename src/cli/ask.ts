import { Command, Option } from "commander";
import { ask } from "#src/commands/ask.ts";
import { renderAnswer } from "#src/report/answer.ts";
import { openStoreOrWarn } from "./audit-options.ts";
import type { CliIo } from "./io.ts";
import { outputOption, viewOptions } from "./view-options.ts";

export function askCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("ask")
    .description(
      "a question about ipvs, nftables and the upgrade, answered with sources and your fleet's numbers",
    )
    .argument("<question...>", 'e.g. "is ipvs removed in 1.37?"')
    .addOption(new Option("--store <file>", "the store with your clusters (default: the XDG state folder)"))
    .addOption(outputOption())
    .action(async (words: string[], options: { store?: string; output: "table" | "json" }) => {
      const store = await openStoreOrWarn(options, io);
      try {
        io.stdout(renderAnswer(await ask(words.join(" "), store, io.now()), viewOptions(options, io)));
      } finally {
        await store?.close();
      }
      done(0);
    });
}
