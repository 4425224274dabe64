import { Command, CommanderError } from "commander";
import { ProxyAuditError } from "#src/model/errors.ts";
import { askCommand } from "./ask.ts";
import { approveCommand, waiveCommand, waiversCommand } from "./decisions.ts";
import { digestCommand } from "./digest.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { fleetCommand } from "./fleet.ts";
import { gateCommand } from "./gate.ts";
import type { CliIo } from "./io.ts";
import { scanCommand } from "./scan.ts";
import { timelineCommand } from "./timeline.ts";
import { VERSION } from "./version.ts";

/** In the order of the help text. */
const COMMANDS = [
  scanCommand,
  gateCommand,
  fleetCommand,
  timelineCommand,
  askCommand,
  explainCommand,
  digestCommand,
  waiveCommand,
  waiversCommand,
  approveCommand,
  doctorCommand,
];

/** Runs one command line and returns its exit code. Whatever goes wrong is one line on standard error. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exitCode = 0;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command("proxy-audit")
    .description(
      "Finds the clusters that the end of kube-proxy's ipvs mode (1.40, gone in 1.43) and the change of its default mode will break, by when, and what to do.",
    )
    .version(VERSION)
    .showHelpAfterError(false)
    .showSuggestionAfterError(true);
  for (const command of COMMANDS) {
    program.addCommand(command(io, done));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      outputError: (text, write) => write(text.replace(/^error: /, "proxy-audit: ")),
    });
  }
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    if (error instanceof ProxyAuditError) {
      io.stderr(`proxy-audit: ${error.message}\n`);
      return 1;
    }
    const message = error instanceof Error ? error.message : String(error);
    io.stderr(
      `proxy-audit: unexpected: ${message}\nThis is a fault of proxy-audit. PROXY_AUDIT_DEBUG=1 shows where.\n`,
    );
    if (io.env.PROXY_AUDIT_DEBUG && error instanceof Error) io.stderr(`${error.stack}\n`);
    return 1;
  }
}
