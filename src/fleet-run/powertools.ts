import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Context } from "aws-lambda";
import { redactingReplacer } from "#src/model/redact.ts";
import type { Telemetry } from "./telemetry.ts";

/** The parts of Lambda's context that are used. */
export type LambdaContext = Pick<Context, "awsRequestId" | "functionName" | "getRemainingTimeInMillis">;

const NAMESPACE = "ProxyAudit";

/**
 * Structured logs and, through them, metrics (CloudWatch's embedded format: no call and no permission). No event is
 * logged whole, and secrets that find their way into a text are redacted.
 */
export function powertools(serviceName: string): {
  telemetry: Telemetry;
  /** Runs one invocation: its logs carry the request's id, its metrics are written at the end. */
  invocation<T>(context: LambdaContext, work: () => Promise<T>): Promise<T>;
} {
  const logger = new Logger({ serviceName, jsonReplacerFn: redactingReplacer });
  const metrics = new Metrics({ namespace: NAMESPACE, serviceName });
  return {
    telemetry: {
      info: (message, fields = {}) => logger.info(message, fields),
      warn: (message, fields = {}) => logger.warn(message, fields),
      error: (message, fields = {}) => logger.error(message, fields),
      count: (metric, value) => metrics.addMetric(metric, MetricUnit.Count, value),
    },
    invocation: async (context, work) => {
      logger.appendKeys({ requestId: context.awsRequestId });
      try {
        return await work();
      } catch (error) {
        logger.error("failed", error instanceof Error ? error : new Error(String(error)));
        throw error;
      } finally {
        if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
      }
    },
  };
}
