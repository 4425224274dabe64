/**
 * Audits a simulated organization with the functions of functions/, and writes what it took into docs/scale.md:
 * `node bench/fleet-simulation.ts [--accounts 1000] [--regions 17] [--clusters 10000] [--write]`.
 *
 * AWS, SQS, DynamoDB (dynalite) and the clusters' API servers are in this process, over loopback, and throttle as
 * `fleet/rates.ts` says; the functions are in another, whose memory is measured. Times are of this machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { dynamoTableDefinition } from "#src/store/dynamodb-table.ts";
import { startAwsServer } from "../test/fakes/aws-server.ts";
import { startSqsServer } from "../test/fakes/sqs-server.ts";
import { HUB, type Size, simulatedOrganization } from "./fleet/organization.ts";
import { RATES, throttling } from "./fleet/rates.ts";
import { type SimulationReport, scaleDocument } from "./fleet/scale-document.ts";
import type { WorkerResult } from "./fleet/worker.ts";

const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "1000" },
    regions: { type: "string", default: "17" },
    clusters: { type: "string", default: "10000" },
    write: { type: "boolean", default: false },
  },
});
const size: Size = {
  accounts: Number(values.accounts),
  regions: Number(values.regions),
  clusters: Number(values.clusters),
};
const TABLE = "proxy-audit";
const QUEUES = ["accounts", "clusters", "dead-letters"];

const { fleet, servers, close } = await simulatedOrganization(size);
const aws = await startAwsServer(fleet, { throttles: throttling(RATES, () => performance.now()) });
const sqs = await startSqsServer(QUEUES, {
  visibilityMs: 120_000,
  deadLetter: { queue: "dead-letters", after: 5 },
});
const dynamo = await startTable();

const result = await runWorker({
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: `AKIA${HUB}`,
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL: aws.url,
  AWS_ENDPOINT_URL_SQS: sqs.url,
  AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
  POWERTOOLS_LOG_LEVEL: "SILENT",
  POWERTOOLS_METRICS_DISABLED: "true",
  PROXY_AUDIT_TABLE: TABLE,
  PROXY_AUDIT_ACCOUNTS: "organization",
  PROXY_AUDIT_ACCOUNTS_QUEUE_URL: sqs.queueUrl("accounts"),
  PROXY_AUDIT_CLUSTERS_QUEUE_URL: sqs.queueUrl("clusters"),
  PROXY_AUDIT_DEAD_LETTER_QUEUE_URL: sqs.queueUrl("dead-letters"),
  PROXY_AUDIT_EXTRA_ENDPOINT_HOSTS: servers.map(({ port }) => `127.0.0.1:${port}`).join(","),
  SIMULATION_CLUSTERS: String(size.clusters),
});
const report: SimulationReport = {
  size,
  result,
  calls: tally(aws.calls.map(({ operation }) => operation)),
  throttled: aws.calls.filter(({ status }) => status === 400).length,
  kubernetes: servers.reduce((sum, { requests }) => sum + requests.length, 0),
  queue: sqs.requests,
  dynamo: dynamo.calls,
  deadLetters: sqs.messages("dead-letters").length,
};
const document = scaleDocument(report, RATES);
console.log(document);
if (values.write) await writeFile(new URL("../docs/scale.md", import.meta.url), document);
await Promise.all([aws.close(), sqs.close(), close(), dynamo.close()]);

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** dynalite in this process, in memory, with its calls counted. */
async function startTable() {
  const calls: Record<string, number> = {};
  const server = dynalite({ createTableMs: 0 });
  server.on("request", ({ headers }) => {
    const operation = String(headers["x-amz-target"]).split(".").at(-1) ?? "";
    calls[operation] = (calls[operation] ?? 0) + 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ region: "eu-west-1", endpoint: url, credentials });
  await client.send(new CreateTableCommand({ TableName: TABLE, ...dynamoTableDefinition }));
  client.destroy();
  return { url, calls, close: () => server.close() };
}

async function runWorker(env: Record<string, string>): Promise<WorkerResult> {
  const child = spawn(process.execPath, ["--expose-gc", "bench/fleet/worker.ts"], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  return JSON.parse(output) as WorkerResult;
}
