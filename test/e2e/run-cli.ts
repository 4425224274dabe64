import { runCli } from "#src/cli/run.ts";
import { type ScanResult, scanResultSchema } from "#src/model/cluster-audit.ts";

/** The instant of every run, unless a test says otherwise. */
export const NOW = new Date("2026-11-30T09:00:00Z");

interface CliRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface CliWorld {
  env?: Record<string, string>;
  stdin?: string;
  now?: Date;
  columns?: number;
}

/** Runs one command line in this process, in a world of its own: no environment, no terminal, a fixed clock. */
export async function cli(argv: readonly string[], world: CliWorld = {}): Promise<CliRun> {
  const run: CliRun = { exitCode: 0, stdout: "", stderr: "" };
  run.exitCode = await runCli(argv, {
    env: world.env ?? {},
    stdout: (text) => {
      run.stdout += text;
    },
    stderr: (text) => {
      run.stderr += text;
    },
    stdin: async () => world.stdin ?? "",
    progress: false,
    colour: false,
    columns: world.columns ?? 120,
    now: () => world.now ?? NOW,
  });
  return run;
}

/** What `scan --output json --store none` prints with these arguments, held against the published schema. */
export async function scanned(argv: readonly string[], world: CliWorld = {}): Promise<ScanResult> {
  const { exitCode, stdout, stderr } = await cli(
    ["scan", "--output", "json", "--store", "none", ...argv],
    world,
  );
  if (exitCode === 1) throw new Error(stderr);
  return scanResultSchema.parse(JSON.parse(stdout));
}
