import type { SQSBatchResponse } from "aws-lambda";
import { z } from "zod";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import { redacted } from "#src/model/redact.ts";
import type { DeadLetters } from "./message-queue.ts";
import type { Telemetry } from "./telemetry.ts";

/**
 * A message is worked on this often; then it is given up, with its reason. The queues' own `maxReceiveCount` is
 * higher: it catches what ends the function itself (memory, time), where no code of ours runs any more.
 */
export const MAX_DELIVERIES = 3;

/** Work that may go well a few minutes later: the message comes again. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
}

export interface Delivery {
  /** The message does not come again: what cannot be done now is given up. */
  last: boolean;
}

export interface BatchOptions<M> {
  schema: z.ZodType<M>;
  /** Whatever it throws, the message comes again, or is given up after the last delivery. */
  handle(message: M, delivery: Delivery): Promise<void>;
  /** Records that a message was given up. */
  giveUp(message: M, reason: string): Promise<void>;
  deadLetters: DeadLetters;
  /** Milliseconds until the function is ended. */
  remainingMs(): number;
  /** The longest that one message takes: none is begun with less time left. */
  worstCaseMs: number;
  atATime: number;
  telemetry: Telemetry;
}

export type BatchResponse = SQSBatchResponse;

const recordSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  attributes: z.object({ ApproximateReceiveCount: z.coerce.number().int().catch(1) }),
});
const sqsEventSchema = z.object({ Records: z.array(recordSchema) });
type SqsRecord = z.infer<typeof recordSchema>;

/** Works through an SQS event; answers with the messages that have to come again. */
export async function handleBatch<M>(event: unknown, options: BatchOptions<M>): Promise<BatchResponse> {
  const { Records: records } = sqsEventSchema.parse(event);
  const limited = createLimiter(options.atATime);
  const outcomes = await Promise.all(
    records.map((record) => limited(async () => ({ record, done: await handleRecord(record, options) }))),
  );
  return {
    batchItemFailures: outcomes
      .filter(({ done }) => !done)
      .map(({ record }) => ({ itemIdentifier: record.messageId })),
  };
}

/** Whether the message may be deleted. */
async function handleRecord<M>(record: SqsRecord, options: BatchOptions<M>): Promise<boolean> {
  const { telemetry } = options;
  if (options.remainingMs() < options.worstCaseMs) {
    telemetry.info("left for the next delivery: too little time", { messageId: record.messageId });
    return false;
  }
  const parsed = parse(record.body, options.schema);
  if (!parsed.ok) return await bury(record, parsed.reason, options);
  const delivery = { last: record.attributes.ApproximateReceiveCount >= MAX_DELIVERIES };
  try {
    await options.handle(parsed.message, delivery);
    return true;
  } catch (error) {
    const reason = redacted(error instanceof Error ? error.message : String(error));
    if (!delivery.last) {
      telemetry.warn("comes again", { messageId: record.messageId, reason });
      return false;
    }
    return await giveUp(record, parsed.message, reason, options);
  }
}

async function giveUp<M>(
  record: SqsRecord,
  message: M,
  reason: string,
  options: BatchOptions<M>,
): Promise<boolean> {
  try {
    await options.giveUp(message, reason);
  } catch (error) {
    options.telemetry.error("given up, and not recorded", { messageId: record.messageId, error });
    return false;
  }
  return await bury(record, reason, options);
}

/** Where even this fails, the message stays, and the queue's own limit moves it. */
async function bury<M>(record: SqsRecord, reason: string, options: BatchOptions<M>): Promise<boolean> {
  const { telemetry } = options;
  telemetry.error("given up", { messageId: record.messageId, reason });
  telemetry.count("MessagesGivenUp", 1);
  try {
    await options.deadLetters.send(record.body, reason);
    return true;
  } catch (error) {
    telemetry.error("the dead-letter queue did not take it", { messageId: record.messageId, error });
    return false;
  }
}

function parse<M>(
  body: string,
  schema: z.ZodType<M>,
): { ok: true; message: M } | { ok: false; reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ok: false, reason: "the message is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` (${issue.path.join(".")})`;
  return { ok: false, reason: `not a message of this queue: ${issue?.message ?? "wrong"}${place}` };
}
