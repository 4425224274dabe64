import { Command, Option } from "commander";
import { auditCluster } from "#src/audit/audit-cluster.ts";
import { withVerdicts } from "#src/commands/scan.ts";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { openInCluster } from "#src/inventory/in-cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { CliIo } from "./io.ts";

interface PostOptions {
  url: string;
  name: string;
  eksRegion?: string;
  team?: string;
  environment?: string;
}

const LOGS = 3;

/** What the CronJob of infra/in-cluster/ runs: where nobody can look in from outside, the cluster reports itself. */
export function postCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("post")
    .description(
      "from inside a cluster: audit it and post the audit to the fleet's ingest URL, signed by IAM",
    )
    .addOption(new Option("--url <url>", "the URL that the deployment printed").makeOptionMandatory())
    .addOption(new Option("--name <name>", "the cluster's name").makeOptionMandatory())
    .addOption(
      new Option("--eks-region <region>", "it is an EKS cluster in this Region of the identity's account"),
    )
    .addOption(new Option("--team <team>", "whose it is (EKS clusters have tags for that)"))
    .addOption(new Option("--environment <name>", "what it is for"))
    .action(async (options: PostOptions) => {
      if (!URL.canParse(options.url))
        throw new ProxyAuditError("usage", `--url ${options.url} is not a URL.`);
      const { fromNodeProviderChain } = await import("#src/aws/sign-in.ts");
      const { sendAudit } = await import("#src/http-api/send-audit.ts");
      const url = new URL(options.url);
      const credentials = fromNodeProviderChain();
      const cluster = await clusterHere(options, credentials, io);
      const now = io.now();
      const audit = withVerdicts(await auditCluster(cluster, { now, logs: LOGS }), [], now);
      if (!audit.reachable) {
        const [why] = audit.unread;
        throw new ProxyAuditError(
          "aws",
          `the cluster's own API was not read, nothing is posted: ${why?.detail}`,
        );
      }
      const { id, kept } = await sendAudit(audit, { url, credentials: await credentials(), now: io.now() });
      io.stdout(`${id}: ${kept === "duplicate" ? "was there already" : "posted"}\n`);
      done(0);
    });
}

type Credentials = Awaited<
  ReturnType<typeof import("@aws-sdk/credential-providers")["fromNodeProviderChain"]>
>;

async function clusterHere(
  options: PostOptions,
  credentials: Credentials,
  io: CliIo,
): Promise<InventoryCluster> {
  const { name, eksRegion: region } = options;
  const own = {
    team: options.team ?? null,
    environment: options.environment ?? null,
    open: (limits = {}) => openInCluster(io.env, { limits }),
  };
  if (region === undefined) {
    return { id: `in-cluster:${name}`, name, account: null, region: null, answers: [], ...own };
  }
  const { eksClusterHere } = await import("#src/inventory/aws/eks-cluster-here.ts");
  const found = await eksClusterHere({ name, region, credentials, now: () => io.now() });
  return {
    ...found,
    team: own.team ?? found.team,
    environment: own.environment ?? found.environment,
    open: own.open,
  };
}
