import { execFile } from "node:child_process";
import process from "node:process";

export interface ChildRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line as a process of its own, with nothing of this one's environment but the path. */
export function childCli(
  argv: readonly string[],
  { env = {}, stdin = "", cwd }: { env?: Record<string, string>; stdin?: string; cwd?: string } = {},
): Promise<ChildRun> {
  const program = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...argv],
      {
        env: { PATH: process.env.PATH ?? "", ...env },
        maxBuffer: 64 * 1024 * 1024,
        ...(cwd === undefined ? {} : { cwd }),
      },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}
