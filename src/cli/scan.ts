import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { CHECKS } from "#src/checks/index.ts";
import { everythingRead } from "#src/commands/scan.ts";
import type { ScanResult } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { OUTPUTS, type Output, renderScan } from "#src/report/render.ts";
import { plain } from "#src/report/text.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { type AuditOptions, addAuditOptions, auditSources } from "./audit-options.ts";
import type { CliIo } from "./io.ts";
import { addSourceOptions, collect, type SourceOptions } from "./sources.ts";

interface ScanOptions extends SourceOptions, AuditOptions {
  output: Output;
  out?: string;
  to?: string[];
}

/** Every cluster was audited. */
const ALL_AUDITED = 0;
/** At least one could not be reached, or its account or Region not be read; the others are reported. */
const NOT_ALL_REACHED = 4;

export function scanCommand(io: CliIo, done: (code: number) => void): Command {
  const command = new Command("scan").description("audit clusters and print findings and upgrade verdicts");
  addSourceOptions(command);
  command
    .addOption(new Option("-o, --output <format>", "how to print").choices(OUTPUTS).default("table"))
    .addOption(new Option("--out <file>", "write to a file instead of the standard output"))
    .addOption(
      new Option(
        "--to <version>",
        "a version to give a verdict for; repeatable (default: the next one, 1.40 and 1.43)",
      ).argParser(collect),
    );
  addAuditOptions(command);
  return command
    .addHelpText("after", "\nExit codes: 0 all audited, 1 could not run, 4 at least one cluster not reached.")
    .action(async (options: ScanOptions) => {
      const targets = (options.to ?? []).map(parseTarget);
      const result = await auditSources(options, io, targets);
      await print(result, options, io);
      for (const cluster of result.clusters) {
        if (cluster.reachable) continue;
        const [why] = cluster.unread;
        io.stderr(
          `proxy-audit: ${plain(cluster.name)} was not reached: ${why?.why}: ${plain(why?.detail ?? "")}\n`,
        );
      }
      done(everythingRead(result) ? ALL_AUDITED : NOT_ALL_REACHED);
    });
}

async function print(result: ScanResult, options: ScanOptions, io: CliIo): Promise<void> {
  const text = renderScan(result, {
    output: options.output,
    colour: io.colour && options.out === undefined,
    columns: io.columns,
    now: io.now().toISOString(),
    titles: Object.fromEntries(CHECKS.map((check) => [check.id, check.title])),
  });
  if (options.out === undefined) {
    io.stdout(text);
    return;
  }
  try {
    await writeFile(options.out, text);
  } catch (cause) {
    throw new ProxyAuditError("usage", `cannot write ${options.out}: ${(cause as Error).message}`, { cause });
  }
}
