type Fields = Readonly<Record<string, unknown>>;

/** What is counted, and what the alarms of `serverless.yml` watch. */
export const METRICS = [
  "ClustersExpected",
  "AuditsStored",
  "ClustersPartial",
  "ClustersSkipped",
  "ClustersFailed",
  "MessagesGivenUp",
  "RunPartial",
  "DigestsSent",
  "DigestsFailed",
] as const;
export type Metric = (typeof METRICS)[number];

/** Where a function says what it does. */
export interface Telemetry {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  count(metric: Metric, value: number): void;
}
