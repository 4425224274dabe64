import { Command, Option } from "commander";
import { fleetView } from "#src/commands/fleet.ts";
import { PROXY_MODES, type ProxyMode } from "#src/model/cluster-audit.ts";
import { renderFleet } from "#src/report/fleet.ts";
import { openExistingStore } from "./audit-options.ts";
import type { CliIo } from "./io.ts";

interface FleetOptions {
  team?: string;
  env?: string;
  mode?: ProxyMode;
  atRisk?: boolean;
  store?: string;
  output: "table" | "json";
}

export function fleetCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("fleet")
    .description("the clusters audited so far, from the store")
    .addOption(new Option("--team <team>", "a team's clusters"))
    .addOption(new Option("--env <environment>", "an environment's clusters"))
    .addOption(new Option("--mode <mode>", "clusters of one proxy mode").choices(PROXY_MODES))
    .addOption(new Option("--at-risk", "only those blocked or incomplete at 1.40 or 1.43"))
    .addOption(new Option("--store <file>", "the store to read (default: the XDG state folder)"))
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(["table", "json"]).default("table"),
    )
    .action(async (options: FleetOptions) => {
      const store = await openExistingStore(options, io);
      try {
        const view = await fleetView(
          store,
          {
            ...(options.team === undefined ? {} : { team: options.team }),
            ...(options.env === undefined ? {} : { environment: options.env }),
            ...(options.mode === undefined ? {} : { mode: options.mode }),
            atRisk: options.atRisk === true,
          },
          { now: io.now(), waivers: await store.waivers() },
        );
        io.stdout(renderFleet(view, { output: options.output, colour: io.colour, columns: io.columns }));
      } finally {
        await store.close();
      }
      done(0);
    });
}
