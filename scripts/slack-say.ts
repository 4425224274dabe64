/**
 * Says something to the Slack app and prints its answer as text: `npm run slack:say -- "blockers payments 1.40"`.
 * The real ingress, app and worker answer, from the demo fleet's audits, in a workspace on loopback.
 */
import { mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { auditDemoFleet } from "#src/console/demo-store.ts";
import { startLocalSlack } from "#src/console/local-slack.ts";
import { blocksAsText } from "#src/console/message-text.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";

/** Audits count for 36 hours; a day later the demo's are made anew. */
const FRESH_MS = 12 * 3_600_000;

const now = () => new Date();
const said = process.argv.slice(2).join(" ").trim();
const folder = join(tmpdir(), `proxy-audit-slack-say-${process.getuid?.() ?? "user"}`);
const file = join(folder, "demo.sqlite");

await mkdir(folder, { recursive: true, mode: 0o700 });
const age = await stat(file).then(
  ({ birthtimeMs }) => Date.now() - birthtimeMs,
  () => Number.POSITIVE_INFINITY,
);
if (age > FRESH_MS) for (const end of ["", "-wal", "-shm"]) await rm(`${file}${end}`, { force: true });
const store = await openSqliteStore(file);
if (age > FRESH_MS) {
  process.stderr.write("Auditing the demo fleet once ...\n");
  await auditDemoFleet(store, { now });
}

const local = await startLocalSlack({
  store,
  now,
  audit: async (clusterId) => {
    const [audit] = await auditDemoFleet(store, { now, only: clusterId });
    if (audit === undefined) throw new Error("nothing was audited");
    return audit;
  },
  log: ({ code, detail = "" }) => process.stderr.write(`log: ${code} ${detail}\n`),
});
try {
  const shown = new Map<string, string>();
  local.slack.subscribe((event) => {
    if (event.type === "message-posted" || event.type === "message-changed") {
      const { ts, onlyFor, threadTs, blocks, text } = event.message;
      const seenBy = onlyFor === null ? "in the channel" : "only you see this";
      const where = threadTs === null ? seenBy : `${seenBy}, in a thread`;
      const what = event.type === "message-changed" && shown.has(ts) ? ", in place of the last" : "";
      shown.set(ts, text);
      console.log(`\n[${where}${what}]\n\n${blocks.length === 0 ? text : blocksAsText(blocks)}`);
    } else if (event.type === "view-opened") {
      console.log(`\n[a dialog]\n\n${blocksAsText(event.view.view.blocks)}`);
    }
  });
  const startedAt = performance.now();
  const { statusCode } = await local.say(said);
  const ms = Math.round(performance.now() - startedAt);
  console.log(`\n(${statusCode} in ${ms} ms)`);
  await local.work();
  process.exitCode = statusCode === 200 ? 0 : 1;
} finally {
  await local.close();
  await store.close();
}
