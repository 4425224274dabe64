/** Runs a task when one of the slots is free, in the order of asking. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * At most `slots` tasks at a time. The connection pool limits sockets too, but its queue would eat into the
 * time of the request that waits there.
 */
export function createLimiter(slots: number): Limiter {
  let free = slots;
  const waiting: (() => void)[] = [];

  async function slot(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return async (task) => {
    await slot();
    try {
      return await task();
    } finally {
      release();
    }
  };
}
