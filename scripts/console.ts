/** `npm run console -- [options]`: builds the page where it is missing or older than its sources, then starts it. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "vite";
import { processIo } from "#src/cli/io.ts";
import { runCli } from "#src/cli/run.ts";

const PAGE = "dist/console/index.html";
const SOURCES = ["src/console/web", "vite.config.ts", "package.json"];

function newestIn(path: string): number {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newestIn(join(path, name))));
}

const built = statSync(PAGE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (built < Math.max(...SOURCES.map(newestIn))) await build({ logLevel: "warn" });
process.exitCode = await runCli(["console", ...process.argv.slice(2)], processIo());
