import { PRICES } from "./prices.ts";

/** What one run asks for; measured by bench/fleet-simulation.ts, or assumed and said so. */
export interface Use {
  accounts: number;
  clusters: number;
  runsAMonth: number;
  /** Seconds of a function for one cluster, with the network's waiting; assumed. */
  secondsPerCluster: number;
  secondsPerAccount: number;
  /** Clusters that one function reads at a time. */
  clustersAtATime: number;
  memoryGb: number;
  /** Kilobytes of one stored audit, compressed. */
  auditKb: number;
  /** Log kilobytes for one cluster. */
  logKb: number;
  /** Requests and answers that leave AWS's network, in kilobytes: the questions only, answers come in free. */
  outKbPerCluster: number;
}

export interface CostLine {
  part: string;
  how: string;
  /** A month, in US dollars. */
  dollars: number;
}

/** Items beside audits that a cluster's run writes and reads: its mark in the run, begun and ended, and its changes. */
const MARK_WRITES = 3;
/** An account's own marks, and one for each of its Regions. */
const ACCOUNT_WRITES = 3 + 17;
const HISTORY_DAYS = 400;
const CUSTOM_METRICS = 9;
const ALARMS = 7;
const SECRETS = 1;

export const ASSUMED = {
  runsAMonth: 30,
  secondsPerCluster: 8,
  secondsPerAccount: 6,
  clustersAtATime: 2,
  memoryGb: 0.5,
  auditKb: 8,
  logKb: 1.5,
  outKbPerCluster: 60,
} as const;

/** The month's cost of daily audits, part by part. */
export function monthlyCost(use: Use): CostLine[] {
  const clusterRuns = use.clusters * use.runsAMonth;
  const accountRuns = use.accounts * use.runsAMonth;
  const seconds =
    (clusterRuns * use.secondsPerCluster) / use.clustersAtATime + accountRuns * use.secondsPerAccount;
  const invocations = clusterRuns / 4 + accountRuns + 1_000;
  const messages = clusterRuns + accountRuns;
  // Sent and deleted in tens at best; received, and empty receives of idle queues, which Lambda's pollers make.
  const queueRequests = messages * 2 + 2 * 5 * 3 * 60 * 24 * 30;
  // History and latest, each rounded up to whole kilobytes, and the marks.
  const writes = clusterRuns * (2 * Math.ceil(use.auditKb) + MARK_WRITES) + accountRuns * ACCOUNT_WRITES;
  // Before a write the latest audit is read, whole and consistently; once a day everything is read for the roll-up.
  const reads = clusterRuns * (Math.ceil(use.auditKb / 4) * 3 + 4) + accountRuns * 4;
  const storedGb = (use.clusters * use.auditKb * HISTORY_DAYS) / 1024 / 1024;
  return [
    {
      part: "Lambda, compute",
      how: `${rounded(seconds)} s at ${use.memoryGb} GB`,
      dollars: seconds * use.memoryGb * PRICES.lambdaGbSecond.dollars,
    },
    {
      part: "Lambda, requests",
      how: `${rounded(invocations)} invocations`,
      dollars: (invocations / 1e6) * PRICES.lambdaMillionRequests.dollars,
    },
    {
      part: "SQS",
      how: `${rounded(queueRequests)} requests, most of them Lambda's polling of idle queues`,
      dollars: (queueRequests / 1e6) * PRICES.sqsMillionRequests.dollars,
    },
    {
      part: "DynamoDB, writes",
      how: `${rounded(writes)} units`,
      dollars: (writes / 1e6) * PRICES.dynamoMillionWrites.dollars,
    },
    {
      part: "DynamoDB, reads",
      how: `${rounded(reads)} units`,
      dollars: (reads / 1e6) * PRICES.dynamoMillionReads.dollars,
    },
    {
      part: "DynamoDB, storage with recovery",
      how: `${storedGb.toFixed(1)} GB once the history of ${HISTORY_DAYS} days is full`,
      dollars: storedGb * (PRICES.dynamoGbMonth.dollars + PRICES.dynamoRecoveryGbMonth.dollars),
    },
    {
      part: "CloudWatch logs",
      how: `${((clusterRuns * use.logKb) / 1024 / 1024).toFixed(2)} GB`,
      dollars: ((clusterRuns * use.logKb) / 1024 / 1024) * PRICES.logsGb.dollars,
    },
    {
      part: "CloudWatch metrics and alarms",
      how: `${CUSTOM_METRICS} metrics, ${ALARMS} alarms`,
      dollars: CUSTOM_METRICS * PRICES.metricMonth.dollars + ALARMS * PRICES.alarmMonth.dollars,
    },
    { part: "Secrets Manager", how: `${SECRETS} secret`, dollars: SECRETS * PRICES.secretMonth.dollars },
    {
      part: "Data transfer",
      how: `${((clusterRuns * use.outKbPerCluster) / 1024 / 1024).toFixed(1)} GB of requests to public endpoints`,
      dollars: ((clusterRuns * use.outKbPerCluster) / 1024 / 1024) * PRICES.transferOutGb.dollars,
    },
  ];
}

export function total(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

export function rounded(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
