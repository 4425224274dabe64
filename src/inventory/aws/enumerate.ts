import { type EKSClient, ListClustersCommand } from "@aws-sdk/client-eks";
import { z } from "zod";
import type { AwsAccess } from "#src/aws/access.ts";
import { readPages } from "#src/aws/pages.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { NotSeen, Observed } from "#src/model/observed.ts";
import type { ClusterRef } from "./cluster-ref.ts";
import { failedEntry, okEntry, skippedEntry } from "./entry.ts";
import { regionsOf } from "./regions.ts";

export interface EnumerateOptions {
  /** Look into these Regions only; empty: into every one that is enabled. */
  regions: readonly string[];
}

export interface AccountClusters {
  clusters: ClusterRef[];
  /** One for the account, and one for each Region. */
  entries: InventoryEntry[];
}

/** Regions of one account that are asked at a time. */
const AT_A_TIME = 6;
const names = z.array(z.string()).default([]);

/** The clusters of one account in all its Regions. Whatever AWS answers, each Region ends as an entry. */
export async function enumerateAccount(
  access: AwsAccess,
  account: string,
  options: EnumerateOptions,
): Promise<AccountClusters> {
  const opened = await access.account(account);
  if (!opened.ok)
    return { clusters: [], entries: [failedEntry("account", account, opened.why, opened.detail)] };
  const clients = opened.value;
  const { region, caller } = access;
  const enabled = await regionsOf(clients, {
    account,
    partition: caller.partition,
    region,
    now: access.now(),
  });
  // Where an operator names the Regions, not being allowed to list them is no reason to read none.
  const wanted = enabled.seen === false ? [...options.regions] : chosen(enabled.value, options.regions);
  if (enabled.seen === false && wanted.length === 0) {
    return { clusters: [], entries: [failedEntry("account", account, enabled.why, enabled.detail)] };
  }
  const limited = createLimiter(AT_A_TIME);
  const results = await Promise.all(
    wanted.map(async (name) => {
      const found = await limited(() => clustersIn(clients.eks(name), account, name, access.now()));
      if (found.seen === false || found.value.length === 0) clients.release(name);
      return { name, found };
    }),
  );
  const entries = [
    ...results.map(({ name, found }) => regionEntry(account, name, found)),
    ...leftOut(account, enabled, options.regions),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    clusters: results.flatMap(({ name, found }) =>
      (found.seen === false ? [] : found.value).map((cluster) => ({ account, region: name, name: cluster })),
    ),
    entries: [accountEntry(account, enabled, entries), ...entries],
  };
}

function chosen(enabled: readonly string[], regions: readonly string[]): string[] {
  return regions.length === 0 ? [...enabled] : enabled.filter((name) => regions.includes(name));
}

/** Enabled Regions that are not among the configured ones, and configured ones that are not enabled. */
function leftOut(
  account: string,
  enabled: Observed<string[]>,
  configured: readonly string[],
): InventoryEntry[] {
  if (enabled.seen === false || configured.length === 0) return [];
  const skipped = (region: string, reason: string) =>
    skippedEntry("region", `${account}/${region}`, "not-requested", reason);
  return [
    ...enabled.value
      .filter((region) => !configured.includes(region))
      .map((region) => skipped(region, "not among the configured Regions")),
    ...configured
      .filter((region) => !enabled.value.includes(region))
      .map((region) => skipped(region, "configured, but not enabled in this account")),
  ];
}

function clustersIn(eks: EKSClient, account: string, region: string, now: Date): Promise<Observed<string[]>> {
  return readPages(
    async (nextToken) => {
      const answer = await eks.send(
        new ListClustersCommand({ maxResults: 100, ...(nextToken === undefined ? {} : { nextToken }) }),
      );
      return { items: names.parse(answer.clusters), nextToken: answer.nextToken };
    },
    { kind: "eks", ref: `ListClusters (${account}/${region})`, at: now.toISOString() },
  );
}

function regionEntry(account: string, region: string, found: Observed<string[]>): InventoryEntry {
  const id = `${account}/${region}`;
  if (found.seen === true) return okEntry("region", id);
  if (found.seen === "partial") return failedEntry("region", id, found.why, found.detail);
  return isClosedRegion(found)
    ? skippedEntry("region", id, found.why, found.detail)
    : failedEntry("region", id, found.why, found.detail);
}

/**
 * A Region that an organization's policy denies answers AccessDenied; one that the account has not enabled, or only
 * just, answers as if the credentials were unknown. Both are as their owner wants it. A role that lacks the
 * permission is not: IAM says so in its message.
 */
function isClosedRegion({ why, detail }: NotSeen): boolean {
  if (why === "unauthenticated") return true;
  return why === "forbidden" && !/no identity-based policy allows/i.test(detail);
}

/** Denied in every Region is the role's fault, not the Regions'. */
function accountEntry(
  account: string,
  enabled: Observed<string[]>,
  regions: readonly InventoryEntry[],
): InventoryEntry {
  const asked = regions.filter(({ why }) => why !== "not-requested");
  const [first] = asked;
  if (first?.why && asked.every(({ why }) => why === "forbidden" || why === "unauthenticated")) {
    const reason = `no Region of it could be read: ${first.reason}`;
    return failedEntry("account", account, first.why, reason);
  }
  return enabled.seen === "partial"
    ? failedEntry("account", account, enabled.why, `Regions may be missing: ${enabled.detail}`)
    : okEntry("account", account);
}
