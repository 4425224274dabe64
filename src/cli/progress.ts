import type { CliIo } from "./io.ts";

export interface Progress {
  audited(name: string): void;
  stop(): void;
}

const NONE: Progress = { audited: () => {}, stop: () => {} };

/** A bar on standard error while clusters are read; nothing where nobody watches or there is only one. */
export async function startProgress(io: CliIo, total: number): Promise<Progress> {
  if (!io.progress || total < 2) return NONE;
  const { default: cliProgress } = await import("cli-progress");
  const { plain } = await import("#src/report/text.ts");
  const bar = new cliProgress.SingleBar({
    format: "auditing {bar} {value}/{total} {cluster}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(total, 0, { cluster: "" });
  return {
    audited: (name) => bar.increment(1, { cluster: plain(name).slice(0, 40) }),
    stop: () => bar.stop(),
  };
}
