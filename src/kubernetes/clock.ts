import { setTimeout as wait } from "node:timers/promises";

/** Time and chance, so that tests can hold both. */
export interface Clock {
  now(): Date;
  /** Rejects when `signal` is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  random: () => Math.random(),
};
