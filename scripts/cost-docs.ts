/** Writes docs/cost.md: what the service costs a month, from list prices that are kept as data. */
import { writeFile } from "node:fs/promises";
import { ASSUMED, monthlyCost, total } from "./cost/model.ts";
import { PRICES, PRICES_COMPARED_ON } from "./cost/prices.ts";

const SIZES = [
  { clusters: 100, accounts: 20 },
  { clusters: 1_000, accounts: 150 },
  { clusters: 10_000, accounts: 1_000 },
];

export function costDocument(): string {
  const [small] = SIZES;
  const lines = small === undefined ? [] : monthlyCost({ ...ASSUMED, ...small });
  const rows = lines.map(({ part, how, dollars }) => `| ${part} | ${how} | ${money(dollars)} |`);
  const sizes = SIZES.map((size) => {
    const month = total(monthlyCost({ ...ASSUMED, ...size }));
    return `| ${size.clusters.toLocaleString("en-US")} | ${size.accounts.toLocaleString("en-US")} | ${money(month)} | ${money((month / size.clusters) * 100)} |`;
  });
  const prices = Object.values(PRICES).map(
    ({ dollars, unit, source }) => `| ${unit} | ${dollars} | ${source} |`,
  );
  return `# What it costs

Made by \`node scripts/cost-docs.ts\` from the prices and assumptions in \`scripts/cost/\`: change them there.

These are list prices of US East (N. Virginia), without free tiers, compared on ${PRICES_COMPARED_ON}. Nobody has
compared the result with a bill yet. A fleet of 100 clusters stays within several of the free tiers.

## 100 clusters in 20 accounts, audited daily, for a month

| Part | What | US dollars |
|---|---|---|
${rows.join("\n")}
| **All** | | **${money(total(lines))}** |

Idle, most of it is what does not depend on the fleet: metrics, alarms, and the polling of two queues.

## By size

| Clusters | Accounts | US dollars a month | For each 100 clusters |
|---|---|---|---|
${sizes.join("\n")}

## What it assumes

| | |
|---|---|
| Runs | ${ASSUMED.runsAMonth} a month |
| A function's time for a cluster, most of it waiting for the network | ${ASSUMED.secondsPerCluster} s, ${ASSUMED.clustersAtATime} clusters at a time |
| A function's time for an account in 17 Regions | ${ASSUMED.secondsPerAccount} s |
| Memory | ${ASSUMED.memoryGb} GB |
| A stored audit, compressed (3 to 7 KB in the demo fleet) | ${ASSUMED.auditKb} KB |
| Log lines of a cluster | ${ASSUMED.logKb} KB |

The times are assumptions: no run against real AWS has been measured. If a cluster took 30 s, compute would cost
${money(computeAt(30))} instead of ${money(computeAt(ASSUMED.secondsPerCluster))} for 100 clusters.

Not in it: a NAT gateway where the audit function runs in a VPC (${money(PRICES.natGatewayHour.dollars * 730)} a month
each, more than all the rest), and AWS Config where an aggregator is used, which you pay for anyway.

## Prices

| Unit | US dollars | Page |
|---|---|---|
${prices.join("\n")}
`;
}

function computeAt(secondsPerCluster: number): number {
  const [compute] = monthlyCost({ ...ASSUMED, clusters: 100, accounts: 20, secondsPerCluster });
  return compute?.dollars ?? 0;
}

function money(dollars: number): string {
  return dollars >= 100 ? Math.round(dollars).toLocaleString("en-US") : dollars.toFixed(2);
}

if (import.meta.main) await writeFile(new URL("../docs/cost.md", import.meta.url), costDocument());
