/**
 * The functions of a simulated fleet, in a process of their own so that its memory is theirs: plans a run, then
 * receives and invokes until both queues are empty, closes the run, and prints what happened as JSON.
 */
import process from "node:process";
import { SQSClient } from "@aws-sdk/client-sqs";
import { handler as audit } from "../../functions/audit.ts";
import { handler as closeRun } from "../../functions/close-run.ts";
import { handler as discover } from "../../functions/discover.ts";
import { handler as enumerate } from "../../functions/enumerate.ts";
import { type Consumer, lambdaContext, runConsumers } from "../../test/fakes/lambda.ts";

/** Invocations at a time, of which each reads two clusters at a time. */
const AT_A_TIME = Number(process.env.SIMULATION_CONCURRENCY ?? 6);

export interface WorkerResult {
  seconds: { plan: number; run: number; close: number };
  invocations: number;
  /** Bytes of live objects after a collection, and of the process, each at a tenth of the way. */
  memory: { heap: number; process: number }[];
  summary: unknown;
}

const { PROXY_AUDIT_ACCOUNTS_QUEUE_URL: accountsUrl = "", PROXY_AUDIT_CLUSTERS_QUEUE_URL: clustersUrl = "" } =
  process.env;
const sqs = new SQSClient({
  region: process.env.AWS_REGION ?? "",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const batchSize = 4;
const expectedInvocations = Number(process.env.SIMULATION_CLUSTERS) / batchSize;
const memory: WorkerResult["memory"] = [];
let audits = 0;

function measure(): void {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  memory.push({ heap: heapUsed, process: rss });
}

const consumers: Consumer[] = [
  { queueUrl: accountsUrl, handler: enumerate, batchSize: 1 },
  {
    queueUrl: clustersUrl,
    batchSize,
    handler: async (event, context) => {
      const response = await audit(event, context);
      audits += 1;
      if (Math.floor((audits * 10) / expectedInvocations) > memory.length) measure();
      return response;
    },
  },
];

async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, value: T]> {
  const startedAt = performance.now();
  const value = await work();
  return [(performance.now() - startedAt) / 1_000, value];
}

const scheduledTime = new Date().toISOString();
const [plan] = await timed(() => discover({ scheduledTime }, lambdaContext("discover", 900_000)));
const [run, rounds] = await timed(() =>
  Promise.all(Array.from({ length: AT_A_TIME }, () => runConsumers(sqs, consumers, { idleRounds: 10 }))),
);
const [close, [summary]] = await timed(() => closeRun({}, lambdaContext("close-run", 600_000)));
measure();
const result: WorkerResult = {
  seconds: { plan, run, close },
  invocations: rounds.reduce((sum, count) => sum + count, 0),
  memory,
  summary,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
