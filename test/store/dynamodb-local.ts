import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import dynalite from "dynalite";
import { dynamoTableDefinition } from "#src/store/dynamodb-table.ts";

export type StoredItem = Record<string, unknown> & { pk: string; sk: string };

/** The identifiers of the part sets that items name, and of those that are there. */
export function partSets(items: readonly StoredItem[]): { named: string[]; there: string[] } {
  const named = items.flatMap((item) => (item.parts as { id: string } | undefined)?.id ?? []);
  const there = items
    .filter((item) => item.sk.startsWith("PART#"))
    .map((item) => item.sk.split("#")[1] ?? "");
  return { named: named.sort(), there: [...new Set(there)].sort() };
}

/** What tests look at of a request: its values as the store gave them. */
export interface Input {
  Item?: Record<string, unknown>;
  ExpressionAttributeValues?: Record<string, unknown>;
  RequestItems?: Record<string, unknown>;
}

export interface LocalDynamo {
  client: DynamoDBClient;
  /** Another client, which runs `before` ahead of each request. */
  connect(before: (command: string, input: Input) => Promise<void> | void): DynamoDBClient;
  /** A new table as the deployment would create it, ready for use; its name. */
  createTable(): Promise<string>;
  /** Everything in a table. */
  items(table: string): Promise<StoredItem[]>;
  stop(): Promise<void>;
}

let tables = 0;

function localDynamo(port: number, stop: () => Promise<void>): LocalDynamo {
  const connect = () =>
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-west-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
  const client = connect();
  const clients = [client];
  return {
    client,
    connect: (before) => {
      const other = connect();
      clients.push(other);
      other.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            await before(String(commandName), args.input as Input);
            return next(args);
          },
        { step: "initialize" },
      );
      return other;
    },
    createTable: async () => {
      const TableName = `proxy-audit-${tables++}`;
      await client.send(new CreateTableCommand({ TableName, ...dynamoTableDefinition }));
      // Both servers call a new table CREATING for a moment; the SDK's waiter would wait for two seconds.
      while ((await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus !== "ACTIVE") {
        await sleep(5);
      }
      return TableName;
    },
    items: async (TableName) => {
      const pages = paginateScan({ client: DynamoDBDocumentClient.from(client) }, { TableName });
      const found: StoredItem[] = [];
      for await (const { Items = [] } of pages) found.push(...(Items as StoredItem[]));
      return found;
    },
    stop: async () => {
      for (const one of clients) one.destroy();
      await stop();
    },
  };
}

/** dynalite in this process, in memory. */
export async function startDynalite(): Promise<LocalDynamo> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return localDynamo((server.address() as AddressInfo).port, async () => {
    server.close();
    await once(server, "close");
  });
}

/** Whether moto's server, a Python program, is on the path. */
export function hasMoto(): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, "moto_server"), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function startMoto(): Promise<LocalDynamo> {
  const port = await freePort();
  const server = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  const local = localDynamo(port, () => stopProcess(server));
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    try {
      await local.client.send(new ListTablesCommand({}));
      return local;
    } catch (error) {
      if (Date.now() < deadline && server.exitCode === null) continue;
      await local.stop();
      throw new Error("moto_server is on the path and does not answer.", { cause: error });
    }
  }
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill();
  await once(server, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
