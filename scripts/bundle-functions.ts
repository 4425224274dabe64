/**
 * Bundles every function in functions/ into dist/functions/<name>/index.mjs and prints its size; ends with 1 where
 * one is over its budget or has none.
 */
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, type Metafile } from "esbuild";
import { zodLocalesPlugin } from "./bundle-plugins.ts";
import { FUNCTION_BUDGETS } from "./function-budgets.ts";
import { slackPlugin } from "./slack-bundle-plugin.ts";

const FOLDER = "functions";
const OUT = "dist/functions";

/** CommonJS packages that were bundled into a module still ask for these. */
const BANNER =
  'import { createRequire as $createRequire } from "node:module";const require = $createRequire(import.meta.url);';

export async function functionNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => basename(file, ".ts"))
    .toSorted();
}

async function bundle(name: string): Promise<{ kib: number; metafile: Metafile }> {
  const outfile = join(OUT, name, "index.mjs");
  const { metafile } = await build({
    entryPoints: [join(FOLDER, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    // Names of errors and of handlers are in logs.
    keepNames: true,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    legalComments: "linked",
    loader: { ".md": "text" },
    banner: { js: BANNER },
    plugins: [zodLocalesPlugin, slackPlugin],
    metafile: true,
    logLevel: "warning",
  });
  return { kib: Math.ceil((await stat(outfile)).size / 1024), metafile };
}

/** What a bundle is made of, largest first. */
function largest(metafile: Metafile): string {
  const [output] = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  const sizes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    const part = name ?? file.split("/").slice(0, 2).join("/");
    sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput);
  }
  return [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([part, bytes]) => `${part} ${Math.round(bytes / 1024)}`)
    .join(", ");
}

await rm(OUT, { recursive: true, force: true });
const budgets: Readonly<Record<string, number>> = FUNCTION_BUDGETS;
for (const name of await functionNames()) {
  const { kib, metafile } = await bundle(name);
  const budget = budgets[name];
  const over = budget === undefined || kib > budget;
  if (over) process.exitCode = 1;
  console.log(
    `${name.padEnd(14)} ${String(kib).padStart(5)} KiB of ${String(budget ?? "no budget").padStart(5)}${over ? "  TOO LARGE" : ""}   (${largest(metafile)})`,
  );
}
