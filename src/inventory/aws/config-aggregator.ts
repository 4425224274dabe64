import { ConfigServiceClient, SelectAggregateResourceConfigCommand } from "@aws-sdk/client-config-service";
import { z } from "zod";
import type { AwsAccess } from "#src/aws/access.ts";
import { clientConfiguration } from "#src/aws/clients.ts";
import { readPages } from "#src/aws/pages.ts";
import type { InventoryEntry } from "#src/model/inventory-entry.ts";
import type { ClusterRef } from "./cluster-ref.ts";
import { failedEntry, okEntry } from "./entry.ts";

export interface AggregatorRequest {
  aggregator: string;
  /** Keep the clusters of these accounts only; null: of all. */
  accounts: readonly string[] | null;
  /** Empty: all. */
  regions: readonly string[];
}

const QUERY = "SELECT accountId, awsRegion, resourceName WHERE resourceType = 'AWS::EKS::Cluster'";
/** Each result is a row as JSON text. */
const rowSchema = z.object({
  accountId: z.string().regex(/^\d{12}$/),
  awsRegion: z.string().min(1),
  resourceName: z.string().min(1),
});
const rowsSchema = z.array(z.string()).default([]);

/**
 * The organization's clusters as AWS Config recorded them: a few calls instead of one for each account and Region.
 * Where Config records nothing (an account or Region without a recorder) it shows nothing, and does not say so:
 * asking every account stays the truth.
 */
export async function clustersFromAggregator(
  access: AwsAccess,
  request: AggregatorRequest,
): Promise<{ clusters: ClusterRef[]; entries: InventoryEntry[] }> {
  const { aggregator, accounts, regions } = request;
  const client = new ConfigServiceClient(
    clientConfiguration(access.region, access.hub.credentials, access.clients),
  );
  const found = await readPages(
    async (NextToken) => {
      const command = new SelectAggregateResourceConfigCommand({
        Expression: QUERY,
        ConfigurationAggregatorName: aggregator,
        Limit: 100,
        ...(NextToken ? { NextToken } : {}),
      });
      const answer = await client.send(command);
      const rows = rowsSchema.parse(answer.Results).map((row) => rowSchema.parse(JSON.parse(row)));
      return { items: rows, nextToken: answer.NextToken };
    },
    {
      kind: "eks",
      ref: `SelectAggregateResourceConfig ${aggregator} (${access.region})`,
      at: access.now().toISOString(),
    },
  );
  client.destroy();
  const id = `aggregator ${aggregator}`;
  const entry =
    found.seen === true
      ? okEntry("organization", id)
      : failedEntry("organization", id, found.why, found.detail);
  const clusters = (found.seen === false ? [] : found.value)
    .map(({ accountId, awsRegion, resourceName }) => ({
      account: accountId,
      region: awsRegion,
      name: resourceName,
    }))
    .filter(({ account }) => accounts === null || accounts.includes(account))
    .filter(({ region }) => regions.length === 0 || regions.includes(region));
  return { clusters, entries: [entry] };
}
