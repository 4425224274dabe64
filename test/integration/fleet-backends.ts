import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import dynalite from "dynalite";
import { dynamoTableDefinition } from "#src/store/dynamodb-table.ts";
import { startMoto } from "../fakes/moto.ts";
import { startSqsServer } from "../fakes/sqs-server.ts";

const REGION = "eu-west-1";
const TABLE = "proxy-audit";
const credentials = { accessKeyId: "AKIA000000000001", secretAccessKey: "secret" };

export type QueueName = "accounts" | "clusters" | "slack" | "dead-letters";

/** Queues and the table, somewhere. */
export interface Backend {
  sqsEndpoint: string;
  dynamoEndpoint: string;
  sqs: SQSClient;
  queueUrl(name: QueueName): string;
  /** DynamoDB's operations that were asked for since the last call; none are known of a server of another process. */
  operations(): string[];
  /** Everything in the table, by key, without what differs from write to write. */
  items(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** The queues' own limit, above the one of the code. */
const RECEIVES_AT_MOST = 5;
const VISIBILITY_SECONDS = 1;

export async function localBackend(): Promise<Backend> {
  const dynamo = dynalite({ createTableMs: 0 });
  const asked = new Set<string>();
  dynamo.on("request", ({ headers }) => asked.add(String(headers["x-amz-target"]).split(".").at(-1) ?? ""));
  dynamo.listen(0, "127.0.0.1");
  await once(dynamo, "listening");
  const dynamoEndpoint = `http://127.0.0.1:${(dynamo.address() as AddressInfo).port}`;
  const sqs = await startSqsServer(["accounts", "clusters", "slack", "dead-letters"], {
    visibilityMs: VISIBILITY_SECONDS * 1_000,
    deadLetter: { queue: "dead-letters", after: RECEIVES_AT_MOST },
  });
  return backend({
    sqsEndpoint: sqs.url,
    dynamoEndpoint,
    queueUrl: sqs.queueUrl,
    operations: () => {
      const operations = [...asked].toSorted();
      asked.clear();
      return operations;
    },
    close: async () => {
      await sqs.close();
      dynamo.close();
      await once(dynamo, "close");
    },
  });
}

export async function motoBackend(): Promise<Backend> {
  const moto = await startMoto();
  const sqs = new SQSClient({ region: REGION, credentials, endpoint: moto.url });
  const urls = new Map<string, string>();
  const create = async (QueueName: string, Attributes: Record<string, string>) => {
    const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    urls.set(QueueName, QueueUrl);
    return QueueUrl;
  };
  const deadLetters = await create("dead-letters", {});
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ["QueueArn"] }),
  );
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: Attributes?.QueueArn,
    maxReceiveCount: RECEIVES_AT_MOST,
  });
  for (const name of ["accounts", "clusters", "slack"]) {
    await create(name, { VisibilityTimeout: String(VISIBILITY_SECONDS), RedrivePolicy });
  }
  sqs.destroy();
  return backend({
    sqsEndpoint: moto.url,
    dynamoEndpoint: moto.url,
    queueUrl: (name) => urls.get(name) ?? "",
    operations: () => [],
    close: () => moto.close(),
  });
}

async function backend(parts: Omit<Backend, "sqs" | "items">): Promise<Backend> {
  const dynamo = new DynamoDBClient({ region: REGION, credentials, endpoint: parts.dynamoEndpoint });
  await dynamo.send(new CreateTableCommand({ TableName: TABLE, ...dynamoTableDefinition }));
  while (
    (await dynamo.send(new DescribeTableCommand({ TableName: TABLE }))).Table?.TableStatus !== "ACTIVE"
  ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const sqs = new SQSClient({ region: REGION, credentials, endpoint: parts.sqsEndpoint });
  return {
    ...parts,
    sqs,
    items: async () => {
      const found: Record<string, unknown>[] = [];
      const client = DynamoDBDocumentClient.from(dynamo);
      for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE })) found.push(...Items);
      return found
        .map(({ writeId: _, ...item }) => item)
        .toSorted((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
    },
    close: async () => {
      sqs.destroy();
      dynamo.destroy();
      await parts.close();
    },
  };
}
