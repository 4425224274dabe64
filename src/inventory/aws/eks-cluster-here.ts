import { openAwsAccess } from "#src/aws/access.ts";
import type { CredentialsProvider } from "#src/aws/credentials.ts";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { InventoryCluster } from "../cluster.ts";
import { DEFAULT_ENVIRONMENT_TAGS, DEFAULT_TEAM_TAGS } from "./ownership.ts";
import { resolveCluster } from "./resolve-cluster.ts";

/**
 * The EKS cluster of that name in the caller's own account: for a pod that runs in it, whose identity may ask the EKS
 * API about it.
 *
 * @throws ProxyAuditError `aws` where the identity is no good, `not-found` where there is no such cluster.
 */
export async function eksClusterHere(where: {
  name: string;
  region: string;
  credentials: CredentialsProvider;
  now: () => Date;
}): Promise<InventoryCluster> {
  const { name, region, credentials, now } = where;
  const opened = await openAwsAccess({ credentials, region, roleIn: () => null, now });
  if (!opened.ok) {
    throw new ProxyAuditError("aws", `the pod's AWS identity cannot be used: ${opened.detail}`, {
      cluster: name,
    });
  }
  const { account } = opened.value.caller;
  const { cluster, entry } = await resolveCluster(
    opened.value,
    { account, region, name },
    {
      ownership: { teamTags: DEFAULT_TEAM_TAGS, environmentTags: DEFAULT_ENVIRONMENT_TAGS, mapping: [] },
      accountTags: {},
      published: createEksPublished(),
      privateEndpoints: false,
      extraHosts: [],
      kubernetesIdentity: "caller",
    },
  );
  if (cluster !== null) return cluster;
  throw new ProxyAuditError(
    "not-found",
    `account ${account} has no EKS cluster ${name} in ${region}: ${entry.reason}`,
    {
      cluster: name,
    },
  );
}
