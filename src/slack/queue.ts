import { z } from "zod";

/** Work that takes longer than Slack waits: a command, to be answered through its `response_url`. */
export const slackWorkSchema = z.object({
  id: z.string(),
  kind: z.literal("command"),
  /** What was typed, with the cluster it was found to mean. */
  text: z.string(),
  teamId: z.string(),
  channel: z.string(),
  userId: z.string(),
  responseUrl: z.string(),
  queuedAt: z.string(),
});
export type SlackWork = z.output<typeof slackWorkSchema>;

/** Where slow work goes: SQS in AWS, memory on one machine. Delivered at least once. */
export interface WorkQueue {
  send(work: SlackWork): Promise<void>;
}

/** A queue in memory, worked off when asked. */
export function memoryQueue(): WorkQueue & { take(): SlackWork | undefined } {
  const waiting: SlackWork[] = [];
  return {
    async send(work) {
      waiting.push(work);
    },
    take: () => waiting.shift(),
  };
}
