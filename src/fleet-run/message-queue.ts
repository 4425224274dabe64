import { setTimeout as pause } from "node:timers/promises";
import { SendMessageBatchCommand, SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { awsFailureOf } from "#src/aws/failure.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

/** Where messages for another function go. */
export interface MessageQueue {
  /** Resolves when the queue has all of them; some may be in it twice. */
  send(messages: readonly unknown[]): Promise<void>;
}

/** Where a message ends that cannot be worked on, with what is wrong with it. */
export interface DeadLetters {
  send(body: string, reason: string): Promise<void>;
}

/** The most that one SendMessageBatch takes. */
const A_BATCH = 10;
const ATTEMPTS = 6;
/** A message attribute holds more, but nobody reads more. */
const REASON_AT_MOST = 500;

export function sqsQueue(client: SQSClient, url: string): MessageQueue {
  async function sendBatch(messages: readonly unknown[]): Promise<void> {
    let left = messages.map((message, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(message),
    }));
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS) throw unsent(url, new Error(`it does not take ${left.length} messages`));
      if (attempt > 0) await pause(100 * 2 ** attempt);
      const answer = await client
        .send(new SendMessageBatchCommand({ QueueUrl: url, Entries: left }))
        .catch((error: unknown) => {
          throw unsent(url, error);
        });
      const failed = new Set((answer.Failed ?? []).map(({ Id }) => Id));
      left = left.filter(({ Id }) => failed.has(Id));
    }
  }

  return {
    send: async (messages) => {
      for (let first = 0; first < messages.length; first += A_BATCH) {
        await sendBatch(messages.slice(first, first + A_BATCH));
      }
    },
  };
}

export function sqsDeadLetters(client: SQSClient, url: string): DeadLetters {
  return {
    send: async (body, reason) => {
      const StringValue = reason.slice(0, REASON_AT_MOST) || "no reason given";
      await client
        .send(
          new SendMessageCommand({
            QueueUrl: url,
            MessageBody: body,
            MessageAttributes: { reason: { DataType: "String", StringValue } },
          }),
        )
        .catch((error: unknown) => {
          throw unsent(url, error);
        });
    },
  };
}

function unsent(url: string, cause: unknown): ProxyAuditError {
  const name = url.split("/").at(-1) ?? url;
  return new ProxyAuditError("aws", awsFailureOf(cause, `SendMessage to ${name}`).detail, { cause });
}
