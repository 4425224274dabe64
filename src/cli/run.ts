import { Command, CommanderError } from "commander";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { CliIo } from "./io.ts";
import { VERSION } from "./version.ts";

type MakeCommand = (io: CliIo, done: (code: number) => void) => Command;

/** In the order of the help text. Each is loaded when it is wanted: together they take 60 MB more than one. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  scan: async () => (await import("./scan.ts")).scanCommand,
  gate: async () => (await import("./gate.ts")).gateCommand,
  fleet: async () => (await import("./fleet.ts")).fleetCommand,
  timeline: async () => (await import("./timeline.ts")).timelineCommand,
  ask: async () => (await import("./ask.ts")).askCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  digest: async () => (await import("./digest.ts")).digestCommand,
  waive: async () => (await import("./decisions.ts")).waiveCommand,
  waivers: async () => (await import("./decisions.ts")).waiversCommand,
  approve: async () => (await import("./decisions.ts")).approveCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  post: async () => (await import("./post.ts")).postCommand,
  console: async () => (await import("./console.ts")).consoleCommand,
};

/** The command that the arguments name; all of them for help and for what is none. */
function wantedBy([first = ""]: readonly string[]): Promise<MakeCommand[]> {
  if (first === "--version" || first === "-V") return Promise.resolve([]);
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  return Promise.all((named === undefined ? Object.values(COMMANDS) : [named]).map((load) => load()));
}

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
  for (const command of await wantedBy(argv)) program.addCommand(command(io, done));
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
