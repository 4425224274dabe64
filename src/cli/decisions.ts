import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { Command, InvalidArgumentError, Option } from "commander";
import { approve } from "#src/commands/approve.ts";
import { clusterByName } from "#src/commands/find-cluster.ts";
import { WAIVER_DAYS_AT_MOST, waive, waiverRows } from "#src/commands/waive.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { plain } from "#src/report/text.ts";
import { renderWaivers } from "#src/report/waivers.ts";
import { minuteOf } from "#src/report/when.ts";
import type { FindingStore } from "#src/store/store.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { openExistingStore } from "./audit-options.ts";
import type { CliIo } from "./io.ts";
import { outputOption, viewOptions } from "./view-options.ts";

interface StoreOptions {
  store?: string;
}

async function withStore<T>(
  options: StoreOptions,
  io: CliIo,
  use: (store: FindingStore) => Promise<T>,
): Promise<T> {
  const store = await openExistingStore(options, io);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function auditsOf(store: FindingStore): Promise<ClusterAudit[]> {
  return Array.fromAsync(store.latestAll());
}

const storeOption = () => new Option("--store <file>", "the store (default: the XDG state folder)");
const asOption = () => new Option("--as <name>", "who decides (default: the user who runs this)");

function whoDecides(as: string | undefined, io: CliIo): string {
  return as ?? io.env.USER ?? userInfo().username;
}

function days(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError("Give a whole number of days.");
  return value;
}

interface WaiveOptions extends StoreOptions {
  reason: string;
  ticket?: string;
  days: number;
  as?: string;
  acceptUnknown?: boolean;
}

export function waiveCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("waive")
    .description("accept what is open under a check of a cluster today, for a time and a reason")
    .argument("<cluster>")
    .argument("<check>")
    .addOption(new Option("--reason <text>", "why this is acceptable").makeOptionMandatory())
    .addOption(new Option("--ticket <id>", "where it is tracked"))
    .addOption(
      new Option("--days <n>", `how long, at most ${WAIVER_DAYS_AT_MOST}`).default(30).argParser(days),
    )
    .addOption(new Option("--accept-unknown", "accept what could not be judged, instead of what was found"))
    .addOption(asOption())
    .addOption(storeOption())
    .action(async (name: string, check: string, options: WaiveOptions) => {
      await withStore(options, io, async (store) => {
        const audit = clusterByName(await auditsOf(store), name);
        const { waiver, covered } = await waive(
          store,
          audit,
          {
            check,
            accepts: options.acceptUnknown === true ? "unknown" : "finding",
            reason: options.reason,
            ticket: options.ticket ?? null,
            owner: whoDecides(options.as, io),
            days: options.days,
            id: randomUUID(),
          },
          io.now(),
        );
        io.stdout(
          `Waived until ${minuteOf(waiver.expiresAt)} for ${plain(audit.name)}, by ${plain(waiver.owner)}:\n`,
        );
        for (const finding of covered) io.stdout(`- ${plain(finding.title)}\n`);
      });
      done(0);
    });
}

export function waiversCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("waivers")
    .description("all waivers, and which of them are unused, expiring or expired")
    .addOption(storeOption())
    .addOption(outputOption())
    .action(async (options: StoreOptions & { output: "table" | "json" }) => {
      await withStore(options, io, async (store) => {
        const audits = await auditsOf(store);
        io.stdout(
          renderWaivers(
            waiverRows(await store.waivers(), audits, io.now()),
            audits,
            viewOptions(options, io),
          ),
        );
      });
      done(0);
    });
}

interface ApproveOptions extends StoreOptions {
  as?: string;
  requestedBy?: string;
  overrideReason?: string;
}

export function approveCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("approve")
    .description("approve one upgrade of one cluster, on its latest audit")
    .argument("<cluster>")
    .argument("<version>")
    .addOption(new Option("--requested-by <name>", "who asked for the upgrade; may not approve it"))
    .addOption(new Option("--override-reason <text>", "approve against a blocked verdict; recorded"))
    .addOption(asOption())
    .addOption(storeOption())
    .action(async (name: string, version: string, options: ApproveOptions) => {
      await withStore(options, io, async (store) => {
        const audit = clusterByName(await auditsOf(store), name);
        const approval = await approve(
          store,
          audit,
          await store.waivers({ clusterId: audit.id }),
          {
            target: parseTarget(version),
            approvedBy: whoDecides(options.as, io),
            requestedBy: options.requestedBy ?? null,
            overrideReason: options.overrideReason ?? null,
            id: randomUUID(),
            seenHash: null,
          },
          io.now(),
        );
        const loud =
          approval.overrideReason === null
            ? ""
            : ` AGAINST A BLOCKED VERDICT (${plain(approval.overrideReason)})`;
        io.stdout(
          `Approved${loud}: ${plain(audit.name)} to ${approval.target}, by ${plain(approval.approvedBy)}, until ${minuteOf(approval.expiresAt)}. ` +
            "A later audit that finds something else voids it.\n",
        );
      });
      done(0);
    });
}
