import { ASSUMED, monthlyCost, rounded, total } from "../../scripts/cost/model.ts";
import type { Size } from "./organization.ts";
import type { Rate } from "./rates.ts";
import type { WorkerResult } from "./worker.ts";

export interface SimulationReport {
  size: Size;
  result: WorkerResult;
  /** Calls of AWS by operation. */
  calls: Record<string, number>;
  throttled: number;
  /** Requests to the clusters' API servers. */
  kubernetes: number;
  queue: number;
  dynamo: Record<string, number>;
  deadLetters: number;
}

/** Functions at a time, as serverless.yml has it. */
const ENUMERATE_AT_A_TIME = 5;
const AUDIT_AT_A_TIME = 20;

/** docs/scale.md: what a simulated fleet took, and what a real one may. */
export function scaleDocument(report: SimulationReport, rates: readonly Rate[]): string {
  const { size, result, calls } = report;
  const { plan, run, close } = result.seconds;
  const perAccount = ["AssumeRole", "ListAccounts", "ListRegions", "ListClusters", "ListTagsForResource"];
  const callRows = Object.entries(calls)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) =>
      callRow(
        name,
        count,
        perAccount.includes(name) ? size.accounts : size.clusters,
        perAccount.includes(name) ? "account" : "cluster",
      ),
    );
  const memoryRows = result.memory.map(
    ({ heap, process }, index) =>
      `| ${tenth(index, result.memory.length)} | ${mib(heap)} | ${mib(process)} |`,
  );
  const rateRows = rates.map(
    ({ operations, by, burst, perSecond, source }) =>
      `| ${operations.join(", ")} | ${by} | ${burst} | ${perSecond} | ${source} |`,
  );
  const accountsASecond = ENUMERATE_AT_A_TIME / ASSUMED.secondsPerAccount;
  const clustersASecond = (AUDIT_AT_A_TIME * 2) / ASSUMED.secondsPerCluster;
  const cost = total(monthlyCost({ ...ASSUMED, ...size }));
  return `# Scale

Made by \`node bench/fleet-simulation.ts --write\`. The functions of \`functions/\` ran over a simulated organization:
AWS, SQS, DynamoDB and the clusters' API servers were local, and throttled as the last table says. Counts are exact;
times are those of one machine with two cores and say nothing about AWS.

| | |
|---|---|
| Accounts | ${rounded(size.accounts)} |
| Regions | ${rounded(size.regions)} |
| Clusters | ${rounded(size.clusters)} |
| Invocations | ${rounded(result.invocations)} |
| Messages that were given up | ${rounded(report.deadLetters)} |
| Calls that were throttled, and repeated | ${rounded(report.throttled)} |
| Planning, audits, closing | ${plan.toFixed(0)} s, ${run.toFixed(0)} s, ${close.toFixed(0)} s |

The run ended as:

\`\`\`json
${JSON.stringify(result.summary, null, 2)}
\`\`\`

## Calls

| Call | Count | Each |
|---|---|---|
${callRows.join("\n")}
${callRow("Kubernetes API, GET", report.kubernetes, size.clusters, "cluster")}
${callRow(
  "DynamoDB",
  Object.values(report.dynamo).reduce((sum, count) => sum + count, 0),
  size.clusters,
  "cluster",
)}
${callRow("SQS", report.queue, size.clusters, "cluster")}

DynamoDB by operation: ${Object.entries(report.dynamo)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${rounded(count)}`)
    .join(", ")}.

## Memory

All functions ran in one process, six invocations and twelve clusters at a time: more than one function of AWS ever
does. Live memory after a collection does not grow with the fleet, and the process settles:

| Audits | Live MiB | Process MiB |
|---|---|---|
${memoryRows.join("\n")}

## How long a real run takes

With ${ENUMERATE_AT_A_TIME} functions that enumerate and ${AUDIT_AT_A_TIME} that audit, two clusters each, and the times that docs/cost.md assumes
(${ASSUMED.secondsPerAccount} s an account, ${ASSUMED.secondsPerCluster} s a cluster), after some minutes of planning:

- accounts: ${minutes(size.accounts / accountsASecond)}; clusters, at the same time: ${minutes(size.clusters / clustersASecond)}
- AssumeRole: at most ${(accountsASecond + clustersASecond).toFixed(0)} a second, of the 600 that STS takes
- daily, for a month: about ${Math.round(cost).toLocaleString("en-US")} US dollars at list prices (docs/cost.md)

Planning asks for each account's tags, one call an account: Organizations' throttling makes that the longest part of it.

## Rates that were simulated

| Operations | Counted by | At once | A second | Source |
|---|---|---|---|---|
${rateRows.join("\n")}
`;
}

function callRow(name: string, count: number, of: number, each: string): string {
  return `| ${name} | ${rounded(count)} | ${(count / of).toFixed(count / of < 10 ? 2 : 0)} for each ${each} |`;
}

function tenth(index: number, count: number): string {
  return index === count - 1 ? "after closing" : `${(index + 1) * 10} %`;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

function minutes(seconds: number): string {
  return `${Math.max(1, Math.round(seconds / 60))} min`;
}
