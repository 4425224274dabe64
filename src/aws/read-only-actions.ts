/**
 * Every action the audit asks of a member account, and no other: the session policy of every assumed role holds
 * exactly these, whatever the role itself could do; the shipped role grants the same.
 */
export const MEMBER_ACTIONS = [
  "account:ListRegions",
  "ec2:DescribeRegions",
  "eks:DescribeAddon",
  "eks:DescribeAddonConfiguration",
  "eks:DescribeAddonVersions",
  "eks:DescribeCluster",
  "eks:DescribeClusterVersions",
  "eks:DescribeNodegroup",
  "eks:ListClusters",
  "eks:ListInsights",
  "eks:ListNodegroups",
] as const;

/** The policy that a session is narrowed to. GetCallerIdentity, which a cluster's token is, needs no permission. */
export function memberSessionPolicy(): string {
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: MEMBER_ACTIONS, Resource: "*" }],
  });
}
