/**
 * Writes and reads a fleet's audits in both stores and prints how they compare:
 * `node bench/store.ts [audits, default 10000]`. DynamoDB is dynalite in this process, so its numbers say what
 * the store's own work and the number of requests cost, not what AWS takes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../test/model/audits.ts";
import { startDynalite } from "../test/store/dynamodb-local.ts";

const CHECKS = ["proxy-mode", "ipvs-gate", "node-kernel", "host-firewall", "ipvs-settings-lost", "nft-build"];

interface Milliseconds {
  write: number;
  writeAgain: number;
  list: number;
  listTeam: number;
  readOne: number;
}

const count = Number(process.argv[2] ?? 10_000);
const fleet = (day: number) => Array.from({ length: count }, (_, index) => auditOf(index, day));

const folder = await mkdtemp(join(tmpdir(), "proxy-audit-bench-"));
const sqlite = await openSqliteStore(join(folder, "store.sqlite"));
const local = await startDynalite();
const dynamo = createDynamoStore({ client: local.client, table: await local.createTable() });
try {
  const onSqlite = await measured(sqlite);
  const onDynalite = await measured(dynamo);
  const bytes = JSON.stringify(auditOf(0, 1)).length;
  console.log(`${count} clusters, ${bytes} bytes of JSON an audit; milliseconds an audit`);
  console.log(["".padEnd(24), "SQLite", "dynalite", "ratio"].map((text) => text.padStart(10)).join(""));
  for (const step of Object.keys(onSqlite) as (keyof Milliseconds)[]) {
    const [one, other] = [onSqlite[step], onDynalite[step]];
    const cells = [one.toFixed(3), other.toFixed(3), (other / one).toFixed(1)];
    console.log(step.padEnd(24) + cells.map((text) => text.padStart(10)).join(""));
  }
} finally {
  await sqlite.close();
  await local.stop();
  await rm(folder, { recursive: true });
}

async function measured(store: FindingStore): Promise<Milliseconds> {
  return {
    write: await millisecondsEach(fleet(1), async (audits) => {
      for (const one of audits) await store.putAudit(one);
    }),
    writeAgain: await millisecondsEach(fleet(2), async (audits) => {
      for (const one of audits) await store.putAudit(one);
    }),
    list: await millisecondsEach(fleet(2), (audits) => listed(store, {}, audits.length)),
    listTeam: await millisecondsEach(
      fleet(2).filter((one) => one.team === "team-7"),
      (audits) => listed(store, { team: "team-7" }, audits.length),
    ),
    readOne: await millisecondsEach(fleet(2), async (audits) => {
      for (const { id } of audits) await store.latest(id);
    }),
  };
}

async function listed(store: FindingStore, filter: { team?: string }, expected: number): Promise<void> {
  let found = 0;
  for await (const _ of store.latestAll(filter)) found += 1;
  if (found !== expected) throw new Error(`${found} of ${expected} audits were listed.`);
}

async function millisecondsEach(
  audits: readonly ClusterAudit[],
  work: (audits: readonly ClusterAudit[]) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  await work(audits);
  return (performance.now() - start) / Math.max(1, audits.length);
}

/** A cluster in ipvs mode whose findings change a little from day to day. */
function auditOf(index: number, day: number): ClusterAudit {
  return audit({
    id: `eks:${111122223333 + (index % 1_000)}/eu-west-1/cluster-${index}`,
    auditedAt: `2027-03-0${day}T09:00:00Z`,
    team: `team-${index % 100}`,
    environment: index % 3 === 0 ? "prod" : "dev",
    findings: CHECKS.slice(index % 2 === 0 ? day - 1 : 0).map((check) => ({
      ...finding(check, "warning"),
      detail: `What ${check} says about cluster ${index}. `.repeat(12),
      evidence: [
        {
          source: {
            kind: "kubernetes",
            ref: "/api/v1/namespaces/kube-system/configmaps/kube-proxy",
            at: "2027-03-01T09:00:00Z",
          },
          path: "data[config.conf].mode",
          excerpt: "ipvs",
        },
      ],
    })),
  });
}
