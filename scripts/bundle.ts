/**
 * Makes the command line of the package: `node scripts/bundle.ts [--entry FILE] [--outdir FOLDER] [--measure]`. One
 * small entry, and in `chunks` what is loaded when it is wanted: one file of it all takes 50 MB more to start.
 * With `--measure` it also starts both, the sources and the bundle, and prints time and memory.
 */
import { spawnSync } from "node:child_process";
import { chmod, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { clientNodePlugin, zodLocalesPlugin } from "./bundle-plugins.ts";

const { values } = parseArgs({
  options: {
    entry: { type: "string", default: "src/cli/main.ts" },
    outdir: { type: "string", default: "dist" },
    measure: { type: "boolean", default: false },
  },
});
const { entry, outdir } = values;
const outfile = join(outdir, "proxy-audit.js");
const chunks = join(outdir, "chunks");

// CommonJS packages that were bundled into a module still ask for these.
const COMMON_JS = `import { createRequire as $createRequire } from "node:module";
import { fileURLToPath as $fileURLToPath } from "node:url";
import { dirname as $dirname } from "node:path";
const require = $createRequire(import.meta.url), __filename = $fileURLToPath(import.meta.url), __dirname = $dirname(__filename);`;

await rm(chunks, { recursive: true, force: true });
await build({
  entryPoints: { "proxy-audit": entry },
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node22",
  // Licences of what is bundled, in a file beside it.
  legalComments: "linked",
  loader: { ".md": "text" },
  banner: { js: (await startsWithHashbang(entry)) ? COMMON_JS : `#!/usr/bin/env node\n${COMMON_JS}` },
  plugins: [clientNodePlugin, zodLocalesPlugin],
  logLevel: "warning",
});
await chmod(outfile, 0o755);
console.log(`${outfile} with its chunks: ${Math.round((await bytesOf()) / 1024)} KiB`);
if (values.measure) for (const file of [entry, outfile]) console.log(`${file}: ${measured(file)}`);

async function bytesOf(): Promise<number> {
  const files = [outfile, ...(await readdir(chunks)).map((name) => join(chunks, name))];
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** esbuild keeps the line of the entry and puts the banner behind it. */
async function startsWithHashbang(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1", 0, bytesRead) === "#!";
  } finally {
    await handle.close();
  }
}

/** The fastest of five starts with `--version`, and the memory at its end. */
function measured(file: string): string {
  const atEnd =
    "process.on('exit', () => process.stderr.write('\\nrss ' + process.memoryUsage.rss() + '\\n'))";
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    const { stderr } = spawnSync(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        "--import",
        `data:text/javascript,${atEnd}`,
        file,
        "--version",
      ],
      { encoding: "utf8" },
    );
    return { ms: performance.now() - startedAt, rss: Number(/^rss (\d+)$/m.exec(stderr)?.[1]) };
  });
  const ms = Math.min(...runs.map((run) => run.ms));
  const rss = Math.min(...runs.map((run) => run.rss));
  return `${Math.round(ms)} ms, ${Math.round(rss / 1024 / 1024)} MiB`;
}
