import { Command } from "commander";
import { permissionsOf } from "#src/commands/doctor.ts";
import { renderPermissions } from "#src/report/permissions.ts";
import { plain } from "#src/report/text.ts";
import type { CliIo } from "./io.ts";
import { addSourceOptions, openSources, type SourceOptions } from "./sources.ts";
import { outputOption, viewOptions } from "./view-options.ts";

/** Something is missing. */
const MISSING = 2;

export function doctorCommand(io: CliIo, done: (code: number) => void): Command {
  const command = new Command("doctor")
    .description("which permission is missing in a cluster, and the lines to add; found by GET requests only")
    .addOption(outputOption());
  addSourceOptions(command);
  return command
    .addHelpText("after", "\nExit codes: 0 nothing is missing, 2 something is, 1 could not run.")
    .action(async (options: SourceOptions & { output: "table" | "json" }) => {
      // With the AWS SDK, which help does not need.
      const { accessEntryFor, eksPermissionsOf, remedyOf } = await import("#src/commands/doctor-aws.ts");
      const sources = await openSources(options, io);
      let complete = true;
      for (const entry of sources.entries ?? []) {
        if (entry.status !== "failed") continue;
        complete = false;
        io.stderr(`proxy-audit: ${entry.kind} ${entry.id}: ${entry.why}: ${entry.reason}\n`);
        const remedy = remedyOf(entry);
        if (remedy !== null) io.stderr(`Add:\n${remedy}\n`);
      }
      try {
        for (const cluster of sources.clusters) {
          if (cluster.eks !== undefined) {
            const rows = await eksPermissionsOf(cluster.eks);
            complete &&= rows.every((row) => row.outcome === "granted");
            io.stdout(
              renderPermissions({ cluster: `${cluster.name} (EKS API)`, rows }, viewOptions(options, io)),
            );
          }
          const reader = await cluster.open();
          if ("seen" in reader) {
            io.stderr(`proxy-audit: ${plain(cluster.name)}: ${reader.why}: ${reader.detail}\n`);
            complete = false;
            continue;
          }
          try {
            const rows = await permissionsOf(reader);
            if ("seen" in rows) {
              io.stderr(`proxy-audit: ${plain(cluster.name)}: ${rows.why}: ${rows.detail}\n`);
              if (rows.why === "unauthenticated" && cluster.eks !== undefined) {
                io.stderr(`Add:\n${accessEntryFor(cluster.eks)}\n`);
              }
              complete = false;
              continue;
            }
            complete &&= rows.every((row) => row.outcome === "granted");
            io.stdout(renderPermissions({ cluster: cluster.name, rows }, viewOptions(options, io)));
          } finally {
            await reader.close();
          }
        }
      } finally {
        await sources.close();
      }
      done(complete ? 0 : MISSING);
    });
}
