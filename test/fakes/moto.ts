import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Moto {
  /** For AWS_ENDPOINT_URL. */
  url: string;
  /** Forgets everything. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Why tests on moto cannot run here; null where they can. */
export function motoMissing(): string | null {
  const found = spawnSync("moto_server", ["--help"], { stdio: "ignore", timeout: 60_000 });
  return found.error === undefined && found.status === 0
    ? null
    : "moto_server is not on the PATH: pip install 'moto[server]'";
}

/** moto's server on a free port of loopback, ended by its own process id. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const child = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);
  return {
    url,
    reset: async () => {
      await fetch(`${url}/moto-api/reset`, { method: "POST" });
    },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`moto_server ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/moto-api/`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(150);
  }
  child.kill();
  throw new Error("moto_server did not answer within 30 s");
}
