import type { ServerResponse } from "node:http";
import type { Answer } from "./http.ts";
import { ALWAYS } from "./security-headers.ts";

const KEEP_ALIVE_MS = 15_000;

/**
 * Server-sent events, each a JSON value. `start` is given how to send and how to end, and returns what stops it
 * when the page goes away.
 */
export function eventStream(
  closed: AbortSignal,
  start: (send: (event: unknown) => void, end: () => void) => () => void,
): Answer {
  return {
    stream(response: ServerResponse) {
      response.writeHead(200, {
        ...ALWAYS,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      response.write(": open\n\n");
      const alive = setInterval(() => response.write(": alive\n\n"), KEEP_ALIVE_MS);
      const send = (event: unknown) => {
        if (!response.writableEnded) response.write(`data: ${JSON.stringify(event)}\n\n`);
      };
      let stop = (): void => undefined;
      const end = () => {
        clearInterval(alive);
        stop();
        response.end();
      };
      stop = start(send, end);
      closed.addEventListener("abort", end, { once: true });
    },
  };
}
