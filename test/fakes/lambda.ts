import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { LambdaContext } from "#src/fleet-run/powertools.ts";

type SqsHandler = (
  event: unknown,
  context: LambdaContext,
) => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>;

/** A function with an SQS event source, as Lambda runs it. */
export interface Consumer {
  queueUrl: string;
  handler: SqsHandler;
  batchSize: number;
  /** What happens to an invocation: `twice` delivers it again at once, `dies` loses its answer. */
  fate?: (invocation: number) => "once" | "twice" | "dies";
}

export function lambdaContext(functionName: string, timeoutMs = 300_000): LambdaContext {
  const endsAt = performance.now() + timeoutMs;
  return {
    awsRequestId: crypto.randomUUID(),
    functionName,
    getRemainingTimeInMillis: () => endsAt - performance.now(),
  };
}

/** Receives, invokes and deletes until no queue has a message that can be received; returns how many invocations. */
export async function runConsumers(
  client: SQSClient,
  consumers: readonly Consumer[],
  options: { idleRounds?: number; idleMs?: number } = {},
): Promise<number> {
  let invocations = 0;
  let idle = 0;
  while (idle <= (options.idleRounds ?? 3)) {
    let worked = false;
    for (const consumer of consumers) {
      const messages = await receive(client, consumer);
      if (messages.length === 0) continue;
      worked = true;
      invocations += 1;
      await invoke(client, consumer, messages, invocations);
    }
    idle = worked ? 0 : idle + 1;
    if (!worked) await new Promise((resolve) => setTimeout(resolve, options.idleMs ?? 400));
  }
  return invocations;
}

async function receive(client: SQSClient, { queueUrl, batchSize }: Consumer): Promise<Message[]> {
  const answer = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: batchSize,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      WaitTimeSeconds: 0,
    }),
  );
  return answer.Messages ?? [];
}

async function invoke(
  client: SQSClient,
  consumer: Consumer,
  messages: readonly Message[],
  invocation: number,
): Promise<void> {
  const event = {
    Records: messages.map(({ MessageId, Body, Attributes }) => ({
      messageId: MessageId,
      body: Body,
      attributes: Attributes,
      eventSource: "aws:sqs",
    })),
  };
  const fate = consumer.fate?.(invocation) ?? "once";
  const run = () => consumer.handler(event, lambdaContext("simulated"));
  const [answer] = fate === "twice" ? await Promise.all([run(), run()]) : [await run()];
  if (fate === "dies") return;
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { MessageId = "", ReceiptHandle } of messages) {
    if (failed.has(MessageId)) continue;
    await client.send(new DeleteMessageCommand({ QueueUrl: consumer.queueUrl, ReceiptHandle }));
  }
}
