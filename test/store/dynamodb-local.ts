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
import dynalite from "dynalite";
import { dynamoTableDefinition } from "#src/store/dynamodb-table.ts";

export interface LocalDynamo {
  client: DynamoDBClient;
  /** Another client, which the test ends. */
  connect(): DynamoDBClient;
  /** A new table as the deployment would create it, ready for use; its name. */
  createTable(): Promise<string>;
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
  return {
    client,
    connect,
    createTable: async () => {
      const TableName = `proxy-audit-${tables++}`;
      await client.send(new CreateTableCommand({ TableName, ...dynamoTableDefinition }));
      // Both servers call a new table CREATING for a moment; the SDK's waiter would wait for two seconds.
      while ((await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus !== "ACTIVE") {
        await sleep(5);
      }
      return TableName;
    },
    stop: async () => {
      client.destroy();
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
