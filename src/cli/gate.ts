import { Command, Option } from "commander";
import { clusterByName } from "#src/commands/find-cluster.ts";
import { gateClusters, gateExitCode } from "#src/commands/gate.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Approval, Waiver } from "#src/model/waiver.ts";
import { renderGate } from "#src/report/gate.ts";
import type { DecisionStore } from "#src/store/store.ts";
import { parseTarget } from "#src/verdict/targets.ts";
import { type AuditOptions, addAuditOptions, auditSources, openExistingStore } from "./audit-options.ts";
import type { CliIo } from "./io.ts";
import { addSourceOptions, hasSource, type SourceOptions } from "./sources.ts";

interface GateOptions extends SourceOptions, AuditOptions {
  to: string;
  all?: boolean;
  team?: string;
  env?: string;
  failOn?: "warning";
  output: "table" | "json";
  maxAuditAge: string;
}

export function gateCommand(io: CliIo, done: (code: number) => void): Command {
  const command = new Command("gate")
    .description("may these clusters move to a version? the exit code says")
    .argument("[cluster]", "a cluster by name; a beginning or end that fits one will do")
    .addOption(
      new Option(
        "--to <version>",
        "the version kube-proxy and the kubelets would move to",
      ).makeOptionMandatory(),
    )
    .addOption(new Option("--all", "every cluster"))
    .addOption(new Option("--team <team>", "a team's clusters"))
    .addOption(new Option("--env <environment>", "an environment's clusters"))
    .addOption(new Option("--fail-on <what>", "also fail on warnings (exit 2)").choices(["warning"]))
    .addOption(new Option("--max-audit-age <hours>", "older audits make a verdict incomplete").default("36"))
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(["table", "json"]).default("table"),
    );
  addSourceOptions(command);
  addAuditOptions(command);
  return command
    .addHelpText(
      "after",
      "\nExit codes: 0 clear (warnings are printed), 2 blocked, 3 incomplete, 1 could not tell for another reason.",
    )
    .action(async (cluster: string | undefined, options: GateOptions) => {
      const target = parseTarget(options.to);
      const { audits, decisions, allFound } = await auditsFor(cluster, options, target, io);
      const result = gateClusters(chosen(audits, cluster, options), target, {
        now: io.now(),
        ...decisions,
        maxAuditAgeHours: hoursOf(options.maxAuditAge),
      });
      io.stdout(renderGate(result, { output: options.output, colour: io.colour, columns: io.columns }));
      done(
        gateExitCode(result.worst, {
          failOnWarning: options.failOn === "warning",
          // A cluster by name is there; what else could not be found is on standard error.
          allFound: allFound || cluster !== undefined,
        }),
      );
    });
}

function hoursOf(text: string): number {
  const hours = Number(text.replace(/h$/, ""));
  if (Number.isFinite(hours) && hours > 0) return hours;
  throw new ProxyAuditError("usage", `--max-audit-age ${text} is not a number of hours. Give one like 36.`);
}

/** With a source, live audits; without, what the store has. */
async function auditsFor(
  cluster: string | undefined,
  options: GateOptions,
  target: string,
  io: CliIo,
): Promise<{ audits: ClusterAudit[]; decisions: Decisions; allFound: boolean }> {
  if (hasSource(options)) {
    // `gate CLUSTER --kubeconfig F` reads that context only.
    const named =
      cluster !== undefined &&
      options.kubeconfig !== undefined &&
      options.context === undefined &&
      !options.allContexts
        ? { ...options, context: [cluster] }
        : options;
    const result = await auditSources(named, io, [target]);
    const allFound = (result.inventory ?? []).every(({ status }) => status !== "failed");
    return { audits: result.clusters, decisions: await decisionsOf(options, io), allFound };
  }
  const store = await openExistingStore(options, io);
  try {
    const audits = await Array.fromAsync(store.latestAll());
    return { audits, decisions: await decisionsIn(store), allFound: true };
  } finally {
    await store.close();
  }
}

interface Decisions {
  waivers: Waiver[];
  approvals: Approval[];
}

async function decisionsIn(store: DecisionStore): Promise<Decisions> {
  return { waivers: await store.waivers(), approvals: await store.approvals() };
}

async function decisionsOf(options: GateOptions, io: CliIo): Promise<Decisions> {
  if (options.store === "none") return { waivers: [], approvals: [] };
  try {
    const store = await openExistingStore(options, io);
    try {
      return await decisionsIn(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    // The scan has already said that there is no store; a live verdict needs none.
    if (error instanceof ProxyAuditError && error.code === "store-unavailable")
      return { waivers: [], approvals: [] };
    throw error;
  }
}

function chosen(audits: ClusterAudit[], cluster: string | undefined, options: GateOptions): ClusterAudit[] {
  const { all, team, env } = options;
  const choices = [cluster !== undefined, all === true, team !== undefined, env !== undefined].filter(
    Boolean,
  ).length;
  if (cluster !== undefined) {
    if (choices > 1)
      throw new ProxyAuditError("usage", "give a cluster, or --all, --team or --env, not both.");
    return [clusterByName(audits, cluster)];
  }
  if (choices === 0) {
    const [only] = audits;
    if (hasSource(options) && audits.length === 1 && only) return [only];
    throw new ProxyAuditError(
      "usage",
      "which cluster? Give its name, or --all, --team TEAM or --env ENVIRONMENT.",
    );
  }
  const fitting = audits.filter(
    (audit) =>
      (team === undefined || audit.team === team) && (env === undefined || audit.environment === env),
  );
  if (fitting.length > 0) return fitting;
  const of = [team && `team ${team}`, env && `environment ${env}`].filter(Boolean).join(" and ");
  throw new ProxyAuditError(
    "not-found",
    `no clusters${of === "" ? "" : ` of ${of}`}. Run proxy-audit scan first, or check the spelling.`,
  );
}
