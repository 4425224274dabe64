import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Command } from "commander";
import { fleetView } from "#src/commands/fleet.ts";
import { gateClusters } from "#src/commands/gate.ts";
import { everythingRead } from "#src/commands/scan.ts";
import type { ClusterAudit, ScanResult } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { renderFleet } from "#src/report/fleet.ts";
import { renderGate } from "#src/report/gate.ts";
import { alreadyAt } from "#src/verdict/targets.ts";
import { type AuditOptions, addAuditOptions, auditSources, openExistingStore } from "./audit-options.ts";
import { type CliIo, processIo } from "./io.ts";
import { addSourceOptions, hasSource, type SourceOptions } from "./sources.ts";

/** The demo's planted failures: what a run of it must report, no more and no less. */
const PLANTED = { forbidden: ["locked-down"], unreachable: ["unreachable"] };
const SHOWN_IN_FULL = ["payments-prod-eu", "web-kubeadm"];
const TARGET = "1.40";

type StartOptions = SourceOptions & AuditOptions;

/** `npm start`: audits the demo fleet, or yours with source options, and shows what the product says about it. */
async function start(options: StartOptions, io: CliIo): Promise<number> {
  const demo = !hasSource(options);
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-"));
  const store = demo ? join(folder, "demo.sqlite") : options.store;
  const sourced = { ...options, ...(store === undefined ? {} : { store }), ...(demo ? { demo: true } : {}) };
  try {
    const result = await auditSources(sourced, io, []);
    await show(result, sourced, demo, io);
    if (!demo) return everythingRead(result) ? 0 : 4;
    return reportPlanted(result, io);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function show(result: ScanResult, options: StartOptions, demo: boolean, io: CliIo): Promise<void> {
  const view = { output: "table", colour: io.colour, columns: io.columns } as const;
  if (options.store !== "none") {
    const store = await openExistingStore(options, io);
    try {
      io.stdout(renderFleet(await fleetView(store, {}, { now: io.now(), waivers: [] }), view));
    } finally {
      await store.close();
    }
  }
  const names = demo ? SHOWN_IN_FULL : [];
  for (const audit of shownInFull(result.clusters, names)) {
    io.stdout("\n");
    io.stdout(renderGate(gateClusters([audit], TARGET, { now: io.now(), waivers: [] }), view));
  }
}

/** The named ones, otherwise the first two that have not reached the target. */
function shownInFull(audits: readonly ClusterAudit[], names: readonly string[]): ClusterAudit[] {
  const below = audits.filter((audit) => !alreadyAt(audit, TARGET));
  const named = below.filter((audit) => names.includes(audit.name));
  return (named.length > 0 ? named : below).slice(0, 2);
}

function reportPlanted(result: ScanResult, io: CliIo): number {
  const unreachable = result.clusters.filter((cluster) => !cluster.reachable).map((cluster) => cluster.name);
  const forbidden = result.clusters
    .filter(
      (cluster) =>
        cluster.reachable && cluster.unread.some((one) => one.why === "forbidden" && one.what === "nodes"),
    )
    .map((cluster) => cluster.name);
  const planned =
    JSON.stringify({ forbidden, unreachable }) ===
    JSON.stringify({ forbidden: PLANTED.forbidden, unreachable: PLANTED.unreachable });
  const words = `${forbidden.join(", ") || "none"} forbids every read, ${unreachable.join(", ") || "none"} cannot be reached`;
  io.stdout(
    planned
      ? `\nThe demo's two planted failures are reported and hide nothing else: ${words}.\nNow your own: npm start -- --kubeconfig ~/.kube/config\n`
      : `\nThe demo did not report exactly its planted failures: ${words}.\n`,
  );
  return planned ? 0 : 1;
}

const io = processIo();
const command = new Command("start").description(
  "audit the demo fleet, or yours: npm start -- --kubeconfig FILE",
);
addSourceOptions(command);
addAuditOptions(command);
command.action(async (options: StartOptions) => {
  try {
    process.exitCode = await start(options, io);
  } catch (error) {
    if (!(error instanceof ProxyAuditError)) throw error;
    io.stderr(`proxy-audit: ${error.message}\n`);
    process.exitCode = 1;
  }
});
await command.parseAsync();
