import { type Command, Option } from "commander";
import type { InventoryCluster } from "#src/inventory/cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import { type AwsOptions, addAwsOptions, awsOptionWithout } from "./aws-source.ts";
import type { CliIo } from "./io.ts";

/** Where clusters come from, as options of a command. */
export interface SourceOptions extends AwsOptions {
  kubeconfig?: string;
  context?: string[];
  allContexts?: boolean;
  manifests?: string[];
  demo?: boolean;
}

export function addSourceOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        "--kubeconfig <file>",
        "clusters of a kubeconfig (default: KUBECONFIG, then ~/.kube/config)",
      ),
    )
    .addOption(
      new Option("--context <name>", "a context of it; repeatable (default: the current one)").argParser(
        collect,
      ),
    )
    .addOption(new Option("--all-contexts", "all its contexts"))
    .addOption(
      new Option(
        "--manifests <path>",
        "dumped manifests: a folder is a cluster, files (or -) together are one; repeatable",
      ).argParser(collect),
    )
    .addOption(new Option("--demo", "the built-in demo fleet"));
  addAwsOptions(command, collect);
  return command;
}

export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

export function hasSource(options: SourceOptions): boolean {
  return (
    options.kubeconfig !== undefined ||
    options.context !== undefined ||
    options.allContexts === true ||
    options.manifests !== undefined ||
    options.aws === true ||
    options.demo === true
  );
}

export interface Sources {
  clusters: InventoryCluster[];
  /** How finding them went, where there was something to find. */
  entries?: InventoryEntry[];
  close(): Promise<void>;
}

/** The clusters that the options name; without any, the current context of the kubeconfig. */
export async function openSources(options: SourceOptions, io: CliIo): Promise<Sources> {
  const kinds = [
    options.manifests !== undefined && "--manifests",
    options.demo === true && "--demo",
    options.aws === true && "--aws",
    (options.kubeconfig !== undefined || options.context !== undefined || options.allContexts === true) &&
      "--kubeconfig",
  ].filter((kind) => kind !== false);
  const needsAws = awsOptionWithout(options);
  if (needsAws !== undefined) throw new ProxyAuditError("usage", `${needsAws} needs --aws.`);
  if (kinds.length > 1)
    throw new ProxyAuditError("usage", `${kinds.join(" and ")} do not go together: give one source.`);
  if (options.manifests !== undefined) {
    const { clustersFromManifests } = await import("#src/inventory/manifests.ts");
    const clusters = await clustersFromManifests(options.manifests, {
      stdin: () => io.stdin(),
      at: io.now().toISOString(),
    });
    return { clusters, close: async () => {} };
  }
  if (options.aws === true) {
    const { openAws } = await import("./aws-source.ts");
    return openAws(options, io);
  }
  if (options.demo === true) {
    const { startDemoFleet } = await import("#src/demo/start-demo-fleet.ts");
    const { demoInventory } = await import("#src/demo/inventory.ts");
    const fleet = await startDemoFleet();
    return { clusters: demoInventory(fleet), close: () => fleet.close() };
  }
  const { clustersFromKubeconfig } = await import("#src/inventory/kubeconfig.ts");
  const { clusters } = await clustersFromKubeconfig({
    ...(options.kubeconfig === undefined ? {} : { file: options.kubeconfig }),
    env: io.env,
    ...(options.context === undefined ? {} : { contexts: options.context }),
    ...(options.allContexts === undefined ? {} : { allContexts: options.allContexts }),
  });
  return { clusters, close: async () => {} };
}
