import type { AwsAccess } from "#src/aws/access.ts";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { InventoryCluster } from "../cluster.ts";
import { type AccountSource, type AwsAccount, listAccounts } from "./accounts.ts";
import type { ClusterRef } from "./cluster-ref.ts";
import { clustersFromAggregator } from "./config-aggregator.ts";
import { enumerateAccount } from "./enumerate.ts";
import { type ResolveOptions, resolveCluster } from "./resolve-cluster.ts";

export interface AwsInventoryRequest extends Omit<ResolveOptions, "published" | "accountTags"> {
  accounts: AccountSource;
  /** Empty: every Region that is enabled. */
  regions: readonly string[];
  /** Find clusters by this AWS Config aggregator instead of asking every account and Region. */
  aggregator: string | null;
  /** Called as accounts are done, for progress. */
  onAccount?: (account: string, clusters: number) => void;
}

export interface AwsInventory {
  clusters: InventoryCluster[];
  /** How every account, Region and cluster ended. */
  entries: InventoryEntry[];
}

/** Accounts that are entered at a time, and clusters described at a time, from one process. */
const ACCOUNTS_AT_A_TIME = 8;
const CLUSTERS_AT_A_TIME = 8;

/** The clusters of all accounts and Regions, found from one process: what the functions do by messages. */
export async function clustersFromAws(
  access: AwsAccess,
  request: AwsInventoryRequest,
): Promise<AwsInventory> {
  const listing = await listAccounts(request.accounts, access);
  const found = await findClusters(access, request, listing.accounts);
  const tags = new Map(listing.accounts.map((account) => [account.id, account.tags]));
  const published = createEksPublished();
  const limited = createLimiter(CLUSTERS_AT_A_TIME);
  const resolved = await Promise.all(
    found.clusters.map((ref) =>
      limited(() =>
        resolveCluster(access, ref, { ...request, published, accountTags: tags.get(ref.account) ?? {} }),
      ),
    ),
  );
  return {
    clusters: resolved.flatMap(({ cluster }) => cluster ?? []),
    entries: [...listing.entries, ...found.entries, ...resolved.map(({ entry }) => entry)],
  };
}

async function findClusters(
  access: AwsAccess,
  request: AwsInventoryRequest,
  accounts: readonly AwsAccount[],
): Promise<{ clusters: ClusterRef[]; entries: InventoryEntry[] }> {
  const { aggregator, regions } = request;
  if (aggregator !== null) {
    const only = request.accounts.kind === "caller" ? null : accounts.map(({ id }) => id);
    return clustersFromAggregator(access, { aggregator, accounts: only, regions });
  }
  const limited = createLimiter(ACCOUNTS_AT_A_TIME);
  const all = await Promise.all(
    accounts.map(({ id }) =>
      limited(async () => {
        const found = await enumerateAccount(access, id, { regions });
        request.onAccount?.(id, found.clusters.length);
        return found;
      }),
    ),
  );
  return {
    clusters: all.flatMap(({ clusters }) => clusters),
    entries: all.flatMap(({ entries }) => entries),
  };
}
