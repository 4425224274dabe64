/** The world as the command line sees it: a test gives its own. */
export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  stdout(text: string): void;
  stderr(text: string): void;
  stdin(): Promise<string>;
  /** Whether a person watches standard error: progress goes there, and only then. */
  progress: boolean;
  colour: boolean;
  /** Width of the terminal; what is piped is not cut to one. */
  columns: number;
  now(): Date;
}

const PIPED_COLUMNS = 120;

export function processIo(): CliIo {
  const { env, stdout, stderr, stdin } = process;
  // A reader such as `head` that has seen enough closes the pipe: that ends the printing, not with a stack.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  return {
    env,
    stdout: (text) => stdout.write(text),
    stderr: (text) => stderr.write(text),
    async stdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
    progress: stderr.isTTY === true,
    // https://no-color.org: present and not empty.
    colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    columns: stdout.columns ?? PIPED_COLUMNS,
    now: () => new Date(),
  };
}
