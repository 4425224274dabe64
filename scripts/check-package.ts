/**
 * Packs the package as `npm publish` would, unpacks it in an empty folder and runs it there: with this Node, and
 * with an older one where the path has it. Nothing of the repository and no node_modules are in reach, so what it
 * needs is in it. `node scripts/check-package.ts`; exits with 1 and says what went wrong.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "proxy-audit-package-"));
const problems: string[] = [];
try {
  const packed = spawnSync("npm", ["pack", "--silent", "--pack-destination", folder], { encoding: "utf8" });
  if (packed.status !== 0) throw new Error(`npm pack: ${packed.stderr}`);
  const [tarball = ""] = await readdir(folder);
  const { size } = await stat(join(folder, tarball));
  spawnSync("tar", ["-xzf", tarball], { cwd: folder });
  console.log(`${tarball}: ${(size / 1_000_000).toFixed(1)} MB`);
  runs(["--version"], { prints: /^\d+\.\d+\.\d+\n$/ });
  runs(["explain", "proxy-mode"], { prints: /ipvs/ });
  runs(["timeline"], { prints: /1\.40/ });
  runs(["scan", "--demo", "--store", "none"], {
    prints: /web-kubeadm/,
    status: 4,
    complains: /^proxy-audit: unreachable .*\n$/,
  });
  runs(["scan", "--demo", "--store", join(folder, "store.sqlite"), "--output", "json"], {
    prints: /"schemaVersion": 1/,
    status: 4,
    complains: /^proxy-audit: unreachable .*\n$/,
  });
  runs(["gate", "web-kubeadm", "--to", "1.40", "--store", join(folder, "store.sqlite")], { prints: /CLEAR/ });
  refusedByOldNode();
} finally {
  await rm(folder, { recursive: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

interface Expected {
  prints: RegExp;
  status?: number;
  /** Nothing where left out. */
  complains?: RegExp;
}

function runs(argv: string[], expected: Expected, node = process.execPath): void {
  const program = join(folder, "package/dist/proxy-audit.js");
  const { status, stdout, stderr } = spawnSync(node, [program, ...argv], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder },
  });
  const { prints, status: wanted = 0, complains = /^$/ } = expected;
  const fine = status === wanted && prints.test(stdout) && complains.test(stderr);
  console.log(`${fine ? "ok" : "FAILED"}: proxy-audit ${argv.join(" ").replaceAll(folder, "")}`);
  if (!fine)
    problems.push(`proxy-audit ${argv.join(" ")}: exit code ${status}\n${stdout.slice(0, 500)}${stderr}`);
}

/** One line and exit code 1, not a syntax error. */
function refusedByOldNode(): void {
  const old = (process.env.PATH ?? "")
    .split(delimiter)
    .map((path) => join(path, "node"))
    .map((node) => ({ node, version: spawnSync(node, ["--version"], { encoding: "utf8" }).stdout ?? "" }))
    .find(({ version }) => /^v(1\d|20|21)\./.test(version));
  if (old === undefined) {
    console.log("skipped: no Node.js older than 22 on the path to be refused by");
    return;
  }
  const complains =
    /^proxy-audit: Node\.js \S+ is too old: 22\.19 or newer is needed\. Node\.js 24 works\.\n$/;
  runs(["scan"], { prints: /^$/, status: 1, complains }, old.node);
}
