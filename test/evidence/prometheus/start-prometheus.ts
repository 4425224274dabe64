import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = "prometheus";

/** Whether Debian's package `prometheus` (or another build of it) is installed. */
export const hasPrometheus = spawnSync(PROGRAM, ["--version"]).status === 0;

export interface RunningPrometheus {
  url: URL;
  close(): Promise<void>;
}

/** A real Prometheus with this scrape configuration, once `ready` (a PromQL query) has `count` series. */
export async function startPrometheus(
  scrapeConfigs: unknown[],
  ready: { query: string; count: number },
): Promise<RunningPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  const config = { global: { scrape_interval: "1s", scrape_timeout: "1s" }, scrape_configs: scrapeConfigs };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const url = new URL(`http://127.0.0.1:${port}`);
  const close = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 150; attempt += 1) {
    if ((await seriesOf(url, ready.query)) >= ready.count) return { url, close };
    await sleep(100);
  }
  await close();
  throw new Error(`Prometheus did not scrape ${ready.query} in 15 s`);
}

async function seriesOf(url: URL, query: string): Promise<number> {
  try {
    const answer = await fetch(new URL(`/api/v1/query?${new URLSearchParams({ query })}`, url));
    const body = (await answer.json()) as { data?: { result?: unknown[] } };
    return body.data?.result?.length ?? 0;
  } catch {
    return 0;
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}
