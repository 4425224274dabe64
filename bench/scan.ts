/**
 * Scans large clusters with the bundled command line and prints memory, time and bytes on the wire, beside a
 * plain full list of the same nodes: `npm run bench`, or `node bench/scan.ts [NODES]...` (default 5000 15000).
 * Exits with 1 where 5,000 nodes take more than the budget.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stringify } from "yaml";
import { type ByteCount, countBytes } from "./count-bytes.ts";

const BUDGET = { nodes: 5_000, residentMB: 120, aboveImportsMB: 60, wireMB: 5 };

interface Measured {
  residentMB: number;
  seconds: number;
  wireMB: number;
}

const sizes = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "proxy-audit-bench-"));
let failed = false;
try {
  await ended(run(["scripts/bundle.ts"]));
  for (const nodes of sizes.length > 0 ? sizes : [5_000, 15_000]) {
    failed = (await bench(nodes)) || failed;
  }
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;

/** Prints the rows for one size; true where it is over the budget. */
async function bench(nodes: number): Promise<boolean> {
  const server = run(["bench/scan-server.ts", String(nodes)], "pipe");
  const { port, ca } = JSON.parse(await firstLine(server)) as { port: number; ca: string };
  const bytes = await countBytes(port);
  const url = `https://127.0.0.1:${bytes.port}`;
  const caFile = join(folder, "ca.pem");
  const kubeconfig = join(folder, "config");
  await writeFile(caFile, ca);
  await writeFile(kubeconfig, kubeconfigOf(url, caFile));
  const scan = ["scan", "--kubeconfig", kubeconfig, "--store", "none", "--output", "json"];
  const bundled = await measured(["dist/proxy-audit.js", ...scan], bytes, `"count": ${nodes},`);
  // The same scan of an address where nobody answers: everything is imported and nothing is read.
  const nobody = join(folder, "nobody");
  await writeFile(nobody, kubeconfigOf("https://127.0.0.1:1", caFile));
  const imports = await measured(
    ["src/cli/main.ts", "scan", "--kubeconfig", nobody, "--store", "none"],
    bytes,
  );
  const sources = await measured(["src/cli/main.ts", ...scan], bytes, `"count": ${nodes},`);
  const fullList = await measured(["bench/full-list.ts", url, caFile], bytes);
  server.stdin?.end();
  await bytes.close();
  console.log(
    `${nodes} nodes`.padEnd(34) +
      ["MB resident", "seconds", "MB on the wire"].map((head) => head.padStart(16)).join(""),
  );
  print("scan, bundled", bundled);
  print("scan, from sources", sources);
  print("  bare imports of the sources", imports);
  print("plain list of all nodes", fullList);
  const ratios = [
    fullList.residentMB / bundled.residentMB,
    fullList.seconds / bundled.seconds,
    fullList.wireMB / bundled.wireMB,
  ];
  console.log(
    "  list : scan".padEnd(34) + ratios.map((ratio) => `${ratio.toFixed(1)}x`.padStart(16)).join(""),
  );
  if (nodes !== BUDGET.nodes) return false;
  const above = sources.residentMB - imports.residentMB;
  const over =
    bundled.residentMB > BUDGET.residentMB || above > BUDGET.aboveImportsMB || bundled.wireMB > BUDGET.wireMB;
  console.log(
    `budget: ${BUDGET.residentMB} MB bundled, ${BUDGET.aboveImportsMB} MB above the imports (here ${above.toFixed(0)}), ${BUDGET.wireMB} MB on the wire: ${over ? "exceeded" : "kept"}\n`,
  );
  return over;
}

function print(name: string, { residentMB, seconds, wireMB }: Measured): void {
  const cells = [residentMB.toFixed(0), seconds.toFixed(2), wireMB.toFixed(2)];
  console.log(name.padEnd(34) + cells.map((cell) => cell.padStart(16)).join(""));
}

/** The middle of three runs by memory; peak resident set as the kernel counted it. */
async function measured(argv: string[], bytes: ByteCount, expected?: string): Promise<Measured> {
  const atEnd =
    "process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS+'\\n'))";
  const runs: Measured[] = [];
  for (let time = 0; time < 3; time += 1) {
    bytes.reset();
    const startedAt = performance.now();
    const child = run(["--import", `data:text/javascript,${encodeURIComponent(atEnd)}`, ...argv], "pipe");
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    let stdout = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    await ended(child);
    if (expected !== undefined && !stdout.includes(expected)) throw new Error(`${argv.join(" ")}: ${stdout}`);
    const kilobytes = Number(/^peak (\d+)$/m.exec(stderr)?.[1]);
    if (Number.isNaN(kilobytes)) throw new Error(`${argv.join(" ")}: ${stderr}`);
    const seconds = (performance.now() - startedAt) / 1_000;
    runs.push({ residentMB: kilobytes / 1_024, seconds, wireMB: bytes.count() / 1_000_000 });
  }
  const [, middle] = runs.toSorted((a, b) => a.residentMB - b.residentMB);
  if (middle === undefined) throw new Error("no runs");
  return middle;
}

function run(argv: string[], stdio: "pipe" | "inherit" = "inherit"): ChildProcess {
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  return spawn(process.execPath, argv, {
    env,
    stdio: stdio === "pipe" ? "pipe" : ["ignore", "inherit", "inherit"],
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("no output");
  child.stderr?.pipe(process.stderr);
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the server did not start");
}

function kubeconfigOf(url: string, caFile: string): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "bench", cluster: { server: url, "certificate-authority": caFile } }],
    users: [{ name: "bench", user: { token: "bench" } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  });
}
