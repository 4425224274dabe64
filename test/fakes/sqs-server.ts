import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface SqsServer {
  /** For AWS_ENDPOINT_URL_SQS. */
  url: string;
  queueUrl(name: string): string;
  /** Bodies of the messages of a queue, with their attributes, whether somebody works on them or not. */
  messages(name: string): readonly QueuedMessage[];
  /** Requests so far. */
  requests: number;
  close(): Promise<void>;
}

export interface QueuedMessage {
  id: string;
  body: string;
  attributes: Record<string, { StringValue?: string }>;
  receiveCount: number;
  receiptHandle: string;
  visibleAt: number;
}

interface Queue {
  messages: QueuedMessage[];
  visibilityMs: number;
  redrive: { to: string; after: number } | null;
}

interface Input {
  QueueUrl: string;
  MessageBody?: string;
  MessageAttributes?: QueuedMessage["attributes"];
  Entries?: { Id: string; MessageBody?: string; ReceiptHandle?: string }[];
  MaxNumberOfMessages?: number;
  ReceiptHandle?: string;
}

/**
 * Standard queues of SQS on loopback, by its JSON protocol: sending, receiving with receive counts and a visibility
 * timeout, deleting, and moving to a dead-letter queue what was received too often.
 */
export async function startSqsServer(
  names: readonly string[],
  options: { visibilityMs: number; deadLetter?: { queue: string; after: number } },
): Promise<SqsServer> {
  const queues = new Map<string, Queue>();
  for (const name of names) {
    const { deadLetter, visibilityMs } = options;
    const redrive =
      deadLetter === undefined || deadLetter.queue === name
        ? null
        : { to: deadLetter.queue, after: deadLetter.after };
    queues.set(name, { messages: [], visibilityMs, redrive });
  }
  let requests = 0;

  const queueOf = (url: string): Queue => {
    const queue = queues.get(url.split("/").at(-1) ?? "");
    if (queue === undefined) throw new Error(`no queue ${url}`);
    return queue;
  };

  function answer(operation: string, input: Input): unknown {
    const queue = queueOf(input.QueueUrl);
    switch (operation) {
      case "SendMessage":
        return sent(queue, input.MessageBody ?? "", input.MessageAttributes ?? {});
      case "SendMessageBatch":
        return {
          Successful: (input.Entries ?? []).map(({ Id, MessageBody = "" }) => ({
            Id,
            ...sent(queue, MessageBody, {}),
          })),
          Failed: [],
        };
      case "ReceiveMessage":
        return { Messages: received(queue, input.MaxNumberOfMessages ?? 1) };
      case "DeleteMessage":
        queue.messages = queue.messages.filter(({ receiptHandle }) => receiptHandle !== input.ReceiptHandle);
        return {};
      default:
        throw new Error(`not served: ${operation}`);
    }
  }

  function received(queue: Queue, atMost: number) {
    const now = Date.now();
    const visible = queue.messages.filter(({ visibleAt }) => visibleAt <= now);
    const given = [];
    for (const message of visible) {
      if (queue.redrive !== null && message.receiveCount >= queue.redrive.after) {
        queue.messages.splice(queue.messages.indexOf(message), 1);
        queues.get(queue.redrive.to)?.messages.push(message);
        continue;
      }
      if (given.length === atMost) break;
      message.receiveCount += 1;
      message.receiptHandle = randomUUID();
      message.visibleAt = now + queue.visibilityMs;
      given.push({
        MessageId: message.id,
        ReceiptHandle: message.receiptHandle,
        Body: message.body,
        MD5OfBody: md5(message.body),
        Attributes: { ApproximateReceiveCount: String(message.receiveCount) },
        MessageAttributes: message.attributes,
      });
    }
    return given;
  }

  const server = createServer(async (request, response) => {
    requests += 1;
    const operation = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
    const body = answer(operation, JSON.parse(await textOf(request)) as Input);
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    queueUrl: (name) => `${url}/000000000001/${name}`,
    messages: (name) => queues.get(name)?.messages ?? [],
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sent(queue: Queue, body: string, attributes: QueuedMessage["attributes"]) {
  const id = randomUUID();
  queue.messages.push({ id, body, attributes, receiveCount: 0, receiptHandle: "", visibleAt: 0 });
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
