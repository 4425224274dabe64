/**
 * What a cold start of each function costs before its first event: size of its bundle, and the time to import it,
 * as a ratio to a bare start of Node in the same run. `node bench/functions.ts`; the bundles are made first.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { FUNCTION_BUDGETS } from "../scripts/function-budgets.ts";

const RUNS = 9;

const bundled = spawnSync(process.execPath, ["scripts/bundle-functions.ts"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (bundled.status !== 0) process.exit(bundled.status ?? 1);

const bare = medianOf(() => started(""));
console.log(
  `${"function".padEnd(14)}${"KiB".padStart(7)}${"budget".padStart(8)}${"start".padStart(9)}${"to a bare start".padStart(17)}`,
);
console.log(
  `${"(bare node)".padEnd(14)}${"".padStart(15)}${`${bare.toFixed(0)} ms`.padStart(9)}${"1.0x".padStart(17)}`,
);
for (const [name, budget] of Object.entries(FUNCTION_BUDGETS)) {
  const file = `dist/functions/${name}/index.mjs`;
  const kib = Math.round(statSync(file).size / 1024);
  const time = medianOf(() => started(`await import(${JSON.stringify(pathToFileURL(file).href)})`));
  const ratio = `${(time / bare).toFixed(1)}x`;
  console.log(
    `${name.padEnd(14)}${String(kib).padStart(7)}${String(budget).padStart(8)}${`${time.toFixed(0)} ms`.padStart(9)}${ratio.padStart(17)}`,
  );
}

/** Milliseconds of a process that does this and nothing else. */
function started(source: string): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    env: { PATH: process.env.PATH, AWS_REGION: "eu-west-1" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`a bundle does not import: ${stderr.slice(0, 500)}`);
  return performance.now() - before;
}

function medianOf(measure: () => number): number {
  const times = Array.from({ length: RUNS }, measure).toSorted((a, b) => a - b);
  return times[Math.floor(RUNS / 2)] ?? 0;
}
