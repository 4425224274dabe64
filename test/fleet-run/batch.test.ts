import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type BatchOptions, handleBatch, MAX_DELIVERIES } from "#src/fleet-run/batch.ts";
import type { Telemetry } from "#src/fleet-run/telemetry.ts";

const silent: Telemetry = { info() {}, warn() {}, error() {}, count() {} };

function event(...bodies: [body: string, receiveCount: number][]): unknown {
  return {
    Records: bodies.map(([body, count], index) => ({
      messageId: `m${index}`,
      body,
      attributes: { ApproximateReceiveCount: String(count) },
    })),
  };
}

type Message = { n: number };

function batch(options: Partial<BatchOptions<Message>> = {}) {
  const dead: [body: string, reason: string][] = [];
  const givenUp: [message: Message, reason: string][] = [];
  return {
    dead,
    givenUp,
    options: {
      schema: z.object({ n: z.number() }),
      handle: async () => {},
      giveUp: async (message: Message, reason: string) => void givenUp.push([message, reason]),
      deadLetters: { send: async (body: string, reason: string) => void dead.push([body, reason]) },
      remainingMs: () => 60_000,
      worstCaseMs: 10_000,
      atATime: 2,
      telemetry: silent,
      ...options,
    } satisfies BatchOptions<Message>,
  };
}

describe("a batch of messages", () => {
  it("gives back only those that have to come again", async () => {
    const { options, dead } = batch({
      handle: async ({ n }) => {
        if (n === 2) throw new Error("busy");
      },
    });
    const response = await handleBatch(event(['{"n":1}', 1], ['{"n":2}', 1], ['{"n":3}', 1]), options);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }] });
    expect(dead).toEqual([]);
  });

  it("tells the handler when a message does not come again, and gives it up with its reason, redacted", async () => {
    const last: boolean[] = [];
    const { options, dead, givenUp } = batch({
      handle: async (_message, delivery) => {
        last.push(delivery.last);
        throw new Error("refused k8s-aws-v1.abcdef");
      },
    });
    expect(await handleBatch(event(['{"n":1}', MAX_DELIVERIES - 1]), options)).toEqual({
      batchItemFailures: [{ itemIdentifier: "m0" }],
    });
    expect(await handleBatch(event(['{"n":1}', MAX_DELIVERIES]), options)).toEqual({ batchItemFailures: [] });
    expect(last).toEqual([false, true]);
    expect(givenUp).toEqual([[{ n: 1 }, "refused k8s-aws-v1.[redacted]"]]);
    expect(dead).toEqual([['{"n":1}', "refused k8s-aws-v1.[redacted]"]]);
  });

  it.each([
    ["no JSON", "{", "the message is not JSON"],
    [
      "another shape",
      '{"n":"1"}',
      "not a message of this queue: Invalid input: expected number, received string (n)",
    ],
  ])("buries %s at once", async (_name, body, reason) => {
    const { options, dead, givenUp } = batch();
    expect(await handleBatch(event([body, 1]), options)).toEqual({ batchItemFailures: [] });
    expect({ dead, givenUp }).toEqual({ dead: [[body, reason]], givenUp: [] });
  });

  it("begins nothing that it has no time to end", async () => {
    let left = 25_000;
    const handled: number[] = [];
    const { options } = batch({
      atATime: 1,
      remainingMs: () => left,
      handle: async ({ n }) => {
        handled.push(n);
        left -= 10_000;
      },
    });
    const response = await handleBatch(event(['{"n":1}', 1], ['{"n":2}', 1], ['{"n":3}', 1]), options);
    expect(handled).toEqual([1, 2]);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: "m2" }] });
  });

  it("keeps a message that could be neither recorded nor buried", async () => {
    const fails = () => Promise.reject(new Error("no"));
    const unrecorded = batch({ handle: fails, giveUp: fails });
    expect(await handleBatch(event(['{"n":1}', 9]), unrecorded.options)).toEqual({
      batchItemFailures: [{ itemIdentifier: "m0" }],
    });
    const unburied = batch({ deadLetters: { send: fails } });
    expect(await handleBatch(event(["{", 1]), unburied.options)).toEqual({
      batchItemFailures: [{ itemIdentifier: "m0" }],
    });
  });
});
