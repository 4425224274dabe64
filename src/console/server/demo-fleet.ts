import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rollUp } from "#src/commands/roll-up.ts";
import { waive } from "#src/commands/waive.ts";
import { demoInventory } from "#src/demo/inventory.ts";
import { pastOf } from "#src/demo/past.ts";
import { startDemoFleet } from "#src/demo/start-demo-fleet.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import type { ConsoleFleet } from "./console-fleet.ts";

/** The demo: its clusters served on loopback, and a store of its own that is gone with the console. */
export async function openDemoFleet(): Promise<ConsoleFleet> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-console-"));
  const [demo, store] = await Promise.all([startDemoFleet(), openSqliteStore(join(folder, "demo.sqlite"))]);
  const clusters = demoInventory(demo);
  return {
    kind: "demo",
    label: "the built-in demo fleet, audited over HTTPS as yours would be",
    store,
    sources: [{ id: "demo", label: "The built-in demo fleet", clusters: async () => clusters }],
    async close() {
      await demo.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const WAIVED = { cluster: "demo:checkout-staging", check: "proxy-mode-unset" };

/**
 * What a fleet that has been watched for a while has besides its audits: a past to burn down, and a decision
 * that will soon want to be looked at again. Done once, after the first scan.
 */
export async function giveDemoItsPast(store: FindingStore, now: Date): Promise<void> {
  const today = await rollUp(store, { now, waivers: await store.waivers() });
  for (const rollup of pastOf(today)) await store.putRollup(rollup);
  const audit = await store.latest(WAIVED.cluster);
  if (audit?.findings.some(({ check, status }) => check === WAIVED.check && status !== "unknown") !== true) {
    return;
  }
  await waive(
    store,
    audit,
    {
      check: WAIVED.check,
      accepts: "finding",
      reason: "Pinned to iptables with the next release train",
      ticket: "PAY-1187",
      owner: "mara",
      days: 9,
      id: "demo-waiver",
    },
    now,
  );
}
