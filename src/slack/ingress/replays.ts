import type { InteractionStore } from "#src/store/store.ts";

/** Which signatures were seen: one is good for a single request. */
export interface Replays {
  isFirst(signature: string, now: Date): Promise<boolean>;
}

/** Longer than a signature can pass the check of its timestamp, on both sides. */
const REMEMBERED_MS = 15 * 60_000;

/** For one process: tests, and an app on one machine. */
export function memoryReplays(): Replays {
  const seen = new Map<string, number>();
  return {
    async isFirst(signature, now) {
      for (const [old, until] of seen) if (until <= now.getTime()) seen.delete(old);
      if (seen.has(signature)) return false;
      seen.set(signature, now.getTime() + REMEMBERED_MS);
      return true;
    },
  };
}

/** For many processes: a conditional write, so that one of two that come at once is refused. */
export function storedReplays(store: Pick<InteractionStore, "claimOnce">): Replays {
  return {
    isFirst: (signature, now) =>
      store.claimOnce(`slack-request/${signature}`, {
        at: now.toISOString(),
        until: new Date(now.getTime() + REMEMBERED_MS).toISOString(),
      }),
  };
}
