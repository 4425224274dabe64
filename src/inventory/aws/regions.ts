import { ListRegionsCommand } from "@aws-sdk/client-account";
import { DescribeRegionsCommand } from "@aws-sdk/client-ec2";
import { z } from "zod";
import type { AccountClients } from "#src/aws/clients.ts";
import { asked, readPages } from "#src/aws/pages.ts";
import { PARTITIONS } from "#src/aws/partition.ts";
import { notSeen, type Observed, type Source, seen } from "#src/model/observed.ts";

const accountRegions = z.array(z.object({ RegionName: z.string() })).default([]);

/**
 * The Regions that are enabled in an account, by name: from the Account service, or where that is not allowed from
 * EC2. Never from a list of ours: Regions are added, and accounts opt in to them one by one.
 */
export async function regionsOf(
  clients: AccountClients,
  at: { account: string; partition: string; region: string; now: Date },
): Promise<Observed<string[]>> {
  const source = (call: string): Source => ({
    kind: "eks",
    ref: `${call} (${at.account})`,
    at: at.now.toISOString(),
  });
  const home = PARTITIONS.find(({ name }) => name === at.partition)?.homeRegion ?? at.region;
  const listed = await readPages(async (NextToken) => {
    const command = new ListRegionsCommand({
      RegionOptStatusContains: ["ENABLED", "ENABLED_BY_DEFAULT"],
      MaxResults: 50,
      ...(NextToken ? { NextToken } : {}),
    });
    const answer = await clients.account(home).send(command);
    const regions = accountRegions.parse(answer.Regions).map(({ RegionName }) => RegionName);
    return { items: regions, nextToken: answer.NextToken };
  }, source("ListRegions"));
  if (listed.seen === true && listed.value.length > 0) return sorted(listed);
  const described = await asked(source("DescribeRegions").ref, async () => {
    const answer = await clients.ec2(at.region).send(new DescribeRegionsCommand({ AllRegions: false }));
    return accountRegions.parse(answer.Regions).map(({ RegionName }) => RegionName);
  });
  if (described.ok && described.value.length > 0) {
    return sorted(seen(described.value, source("DescribeRegions")));
  }
  if (listed.seen === "partial") return sorted(listed);
  const first = listed.seen === false ? listed.detail : "ListRegions named none";
  const second = described.ok ? "DescribeRegions named none" : described.detail;
  const why = listed.seen === false ? listed.why : "invalid";
  return notSeen(why, `${first}; ${second}`, source("ListRegions"));
}

function sorted<T extends Observed<string[]>>(observed: T): T {
  return observed.seen === false ? observed : { ...observed, value: [...new Set(observed.value)].toSorted() };
}
