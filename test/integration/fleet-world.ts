import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { vi } from "vitest";
import { createDynamoStore } from "#src/store/dynamodb.ts";
import type { FindingStore } from "#src/store/store.ts";
import { type AwsServer, hubCredentials, startAwsServer } from "../fakes/aws-server.ts";
import type { Backend } from "./fleet-backends.ts";
import { type ServedFleet, serveOrganization } from "./fleet-organization.ts";

export const REGION = "eu-west-1";

export interface FleetWorld {
  aws: AwsServer;
  served: ServedFleet;
  backend: Backend;
  store: FindingStore;
  close(): Promise<void>;
}

/** The organization, its clusters, queues and table, and an environment in which the functions find them. */
export async function startFleetWorld(
  startBackend: () => Promise<Backend>,
  env: Readonly<Record<string, string>> = {},
): Promise<FleetWorld> {
  const served = await serveOrganization();
  const aws = await startAwsServer(served.fleet);
  const backend = await startBackend();
  const credentials = hubCredentials(served.fleet);
  const all = {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_SQS: backend.sqsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: backend.dynamoEndpoint,
    POWERTOOLS_LOG_LEVEL: "SILENT",
    POWERTOOLS_METRICS_DISABLED: "true",
    PROXY_AUDIT_TABLE: "proxy-audit",
    PROXY_AUDIT_ACCOUNTS: "organization",
    PROXY_AUDIT_ACCOUNTS_QUEUE_URL: backend.queueUrl("accounts"),
    PROXY_AUDIT_CLUSTERS_QUEUE_URL: backend.queueUrl("clusters"),
    PROXY_AUDIT_SLACK_QUEUE_URL: backend.queueUrl("slack"),
    PROXY_AUDIT_DEAD_LETTER_QUEUE_URL: backend.queueUrl("dead-letters"),
    PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS: served.hosts,
    ...env,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  const store = createDynamoStore({
    client: new DynamoDBClient({ region: REGION, credentials }),
    table: "proxy-audit",
  });
  // The functions keep what they opened, as in Lambda: each world gets new ones.
  vi.resetModules();
  return {
    aws,
    served,
    backend,
    store,
    close: async () => {
      vi.unstubAllEnvs();
      await Promise.all([backend.close(), aws.close(), served.close()]);
    },
  };
}
