import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditDemoFleet } from "#src/console/demo-store.ts";
import type { ConsoleFleet } from "#src/console/server/console-fleet.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";

/** A user's own fleet of which nothing is known: no audits, no kubeconfig. */
export async function emptyFleet(): Promise<ConsoleFleet> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-audit-fleet-"));
  const store = await openSqliteStore(join(folder, "store.sqlite"));
  return {
    kind: "own",
    label: "the audits of your own scans",
    store,
    sources: [
      {
        id: "kubeconfig",
        label: "The contexts of your kubeconfig",
        async clusters() {
          throw new ProxyAuditError("invalid-kubeconfig", "cannot read ~/.kube/config: it is not there.");
        },
      },
    ],
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A fleet of this many clusters, made of the demo's: every verdict, mode and gap is among them. */
export async function largeFleet(count: number): Promise<ConsoleFleet> {
  const fleet = await emptyFleet();
  const models = await auditDemoFleet(null, { now: () => new Date() });
  const teams = ["payments", "data", "platform", "search", "identity", null];
  for (let index = 0; index < count; index += 1) {
    const model = models[index % models.length];
    if (model === undefined) throw new Error("the demo fleet is empty");
    const name = `${model.name}-${String(index).padStart(4, "0")}`;
    await fleet.store.putAudit({
      ...model,
      id: `kubeconfig:${name}`,
      name,
      team: teams[index % teams.length] ?? null,
    });
  }
  return fleet;
}

/** Every character that an address gives a meaning of its own. */
export const HOSTILE_ID = "kubeconfig:arn:aws:eks/x%2Fy?z#100%";

/** The demo's audits of one cluster that bears a name as an attacker would choose it. */
export async function hostileFleet(name: string): Promise<ConsoleFleet> {
  const fleet = await emptyFleet();
  const [model] = await auditDemoFleet(null, { now: () => new Date(), only: "demo:payments-prod-eu" });
  if (model === undefined) throw new Error("the demo fleet is empty");
  const findings = model.findings.map((finding) => ({ ...finding, title: name, fix: name }));
  await fleet.store.putAudit({ ...model, id: HOSTILE_ID, name, team: name, findings });
  return fleet;
}
