/** How many calls a service takes: `burst` at once, then `perSecond`, counted by what `by` names. */
export interface Rate {
  operations: readonly string[];
  by: "account" | "account and Region";
  burst: number;
  perSecond: number;
  source: string;
}

/**
 * STS publishes its rate. EKS and Organizations publish none: the numbers are assumptions on the low side, after what
 * users report (awslabs/amazon-eks-ami#218: bursts of about 150 DescribeCluster were throttled).
 */
export const RATES: readonly Rate[] = [
  {
    operations: ["AssumeRole", "GetCallerIdentity"],
    by: "account and Region",
    burst: 600,
    perSecond: 600,
    source: "IAM and STS quotas: 600 requests a second for each account and Region",
  },
  {
    operations: ["ListAccounts", "ListAccountsForParent", "ListTagsForResource"],
    by: "account",
    burst: 20,
    perSecond: 10,
    source: "assumed",
  },
  {
    operations: ["ListRegions"],
    by: "account",
    burst: 5,
    perSecond: 5,
    source: "Account Management quotas: 5 ListRegions a second",
  },
  {
    operations: [
      "DescribeAddon",
      "DescribeAddonConfiguration",
      "DescribeAddonVersions",
      "DescribeCluster",
      "DescribeClusterVersions",
      "DescribeNodegroup",
      "ListClusters",
      "ListInsights",
      "ListNodegroups",
    ],
    by: "account and Region",
    burst: 50,
    perSecond: 10,
    source: "assumed",
  },
];

interface Bucket {
  tokens: number;
  at: number;
}

/** Whether a call is one too many: a token bucket for each rate and caller. */
export function throttling(
  rates: readonly Rate[],
  now: () => number,
): (call: { operation: string; account: string; region: string }) => boolean {
  const buckets = new Map<string, Bucket>();
  return ({ operation, account, region }) => {
    const index = rates.findIndex(({ operations }) => operations.includes(operation));
    const rate = rates[index];
    if (rate === undefined) return false;
    const key = `${index} ${account} ${rate.by === "account" ? "" : region}`;
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at };
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((at - bucket.at) / 1_000) * rate.perSecond);
    bucket.at = at;
    buckets.set(key, bucket);
    if (bucket.tokens < 1) return true;
    bucket.tokens -= 1;
    return false;
  };
}
