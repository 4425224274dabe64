import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type AwsAccess, openAwsAccess } from "#src/aws/access.ts";
import { clientConfiguration } from "#src/aws/clients.ts";
import { createEksPublished } from "#src/aws/eks-published.ts";
import { environmentCredentials } from "#src/aws/environment-credentials.ts";
import { type NamedText, textOf } from "#src/aws/named-text.ts";
import { type OwnershipRules, parseOwnershipMapping } from "#src/inventory/aws/ownership.ts";
import type { ResolveOptions } from "#src/inventory/aws/resolve-cluster.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import type { FindingStore } from "#src/store/store.ts";
import { type DeadLetters, type MessageQueue, sqsDeadLetters, sqsQueue } from "./message-queue.ts";

/** Credentials, endpoints and proxies of the SDK come from here. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Opens what several functions work with; settings are as `src/config.ts` reads them. */
export function openFleetStore(settings: { region: string; table: string }, env: Environment): FindingStore {
  const client = new DynamoDBClient(clientConfiguration(settings.region, environmentCredentials(env)));
  return createDynamoStore({ client, table: settings.table });
}

export interface Queues {
  to(url: string): MessageQueue;
  deadLetters(url: string): DeadLetters;
}

export function openQueues({ region }: { region: string }, env: Environment): Queues {
  const client = new SQSClient(clientConfiguration(region, environmentCredentials(env)));
  return { to: (url) => sqsQueue(client, url), deadLetters: (url) => sqsDeadLetters(client, url) };
}

/**
 * The function's own identity, and through it the accounts.
 *
 * @throws ProxyAuditError `aws` where STS does not know the function's credentials or cannot be asked.
 */
export async function openFleetAccess(
  settings: { region: string; memberRole: string; externalId: NamedText | null },
  env: Environment,
): Promise<AwsAccess> {
  const { region, memberRole: name } = settings;
  const credentials = environmentCredentials(env);
  const externalId =
    settings.externalId === null ? null : await textOf(settings.externalId, { region, credentials });
  const opened = await openAwsAccess({
    credentials,
    region,
    roleIn: () => ({ name, externalId, sessionName: "proxy-audit" }),
    now: () => new Date(),
  });
  if (opened.ok) return opened.value;
  throw new ProxyAuditError("aws", `The function's own identity is not known: ${opened.detail}`);
}

/** Whose clusters are, by tags and by the list of owners that a name stands for. */
async function openOwnership(
  settings: { region: string; teamTags: string[]; environmentTags: string[]; owners: NamedText | null },
  env: Environment,
): Promise<OwnershipRules> {
  const { region, teamTags, environmentTags, owners } = settings;
  const credentials = environmentCredentials(env);
  const mapping =
    owners === null
      ? []
      : parseOwnershipMapping(await textOf(owners, { region, credentials }), "PROXY_AUDIT_OWNERS");
  return { teamTags, environmentTags, mapping };
}

export interface ResolvingSettings {
  region: string;
  kubernetesIdentity: "member" | "caller";
  privateEndpoints: boolean;
  extraEndpointHosts: string[];
  teamTags: string[];
  environmentTags: string[];
  owners: NamedText | null;
}

/** How clusters are described and opened. What EKS publishes is kept as long as the function's environment lives. */
export async function openResolving(
  settings: ResolvingSettings,
  env: Environment,
): Promise<Omit<ResolveOptions, "accountTags">> {
  const { kubernetesIdentity, privateEndpoints, extraEndpointHosts: extraHosts } = settings;
  const ownership = await openOwnership(settings, env);
  return { ownership, published: createEksPublished(), privateEndpoints, extraHosts, kubernetesIdentity };
}

/**
 * The value that `open` makes, made once, or anew after so many milliseconds: a secret may have been changed. A
 * failure is not kept.
 */
export function once<T>(open: () => Promise<T>, forMs = Number.POSITIVE_INFINITY): () => Promise<T> {
  let opening: Promise<T> | undefined;
  let until = 0;
  return () => {
    const now = performance.now();
    if (opening !== undefined && now < until) return opening;
    until = now + forMs;
    opening = open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
