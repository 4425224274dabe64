import { Command, Option } from "commander";
import { ProxyAuditError } from "#src/model/errors.ts";
import { PROVIDERS } from "#src/providers/index.ts";
import { renderTimeline } from "#src/report/timeline.ts";
import { countdown } from "#src/timeline/countdown.ts";
import { timelineRows } from "#src/timeline/rows.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import type { CliIo } from "./io.ts";

interface TimelineOptions {
  provider?: string;
  from?: string;
  output: "table" | "json";
}

export function timelineCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("timeline")
    .description("what changes in which version, when, how sure that is, and who says so")
    .addOption(new Option("--provider <id>", "with a provider's own dates, e.g. eks"))
    .addOption(new Option("--from <version>", "leave out what comes before"))
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(["table", "json"]).default("table"),
    )
    .action((options: TimelineOptions) => {
      const known = PROVIDERS.map((provider) => provider.id);
      if (options.provider !== undefined && !known.includes(options.provider)) {
        throw new ProxyAuditError(
          "usage",
          `no provider "${options.provider}". There are: ${known.join(", ")}.`,
        );
      }
      const from = options.from === undefined ? undefined : parseTarget(options.from);
      const rows = timelineRows({ provider: options.provider, from }, io.now());
      io.stdout(
        renderTimeline(
          { rows, countdown: countdown(io.now()) },
          { output: options.output, colour: io.colour, columns: io.columns },
        ),
      );
      done(0);
    });
}
