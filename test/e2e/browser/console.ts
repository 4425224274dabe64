import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import type { FleetOpeners } from "#src/console/server/console-fleet.ts";
import { openDemoFleet } from "#src/console/server/demo-fleet.ts";
import { type Console, startConsole } from "#src/console/server/start-console.ts";

/** The page as it is now, built into a folder of its own; `remove` takes it away. */
export async function builtPage(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-page-"));
  await build({ logLevel: "warn", build: { outDir: folder, emptyOutDir: true } });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A console on a free port, that shows the demo or a fleet of one's own first. */
export async function consoleOn(
  page: string,
  first: "demo" | "own" = "demo",
  own?: FleetOpeners["own"],
): Promise<Console> {
  return startConsole({
    port: 0,
    page,
    fleets: { demo: openDemoFleet, ...(own === undefined ? {} : { own }) },
    first,
    now: () => new Date(),
    log: (text) => process.stderr.write(text),
  });
}

/** Until the demo's first scan has ended. */
export async function scanned(console: Console): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(`${console.origin}/api/state`, {
      headers: { authorization: `Bearer ${console.token}` },
    });
    const state = (await response.json()) as { scan: string | null };
    if (state.scan === null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the demo was not scanned within 30 seconds");
}
