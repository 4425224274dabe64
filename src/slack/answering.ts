import { message } from "./blocks/message.ts";
import { section } from "./blocks/section.ts";
import type { CommandAnswer, CommandContext } from "./commands/command.ts";
import { commandOf, failureMessage, runCommand } from "./commands/index.ts";

/**
 * A command's answer within the time that Slack waits. What takes longer is left to the worker, whose answer takes
 * the place of this one; what posts, opens or stores something is never begun twice, so it is waited for.
 */
export async function answerInTime(
  context: Omit<CommandContext, "rest" | "patient">,
  text: string,
  withinMs: number,
): Promise<CommandAnswer> {
  const running = runCommand({ ...context, patient: false }, text);
  const acts = commandOf(text)?.acts === true;
  const answer = acts ? await running : ((await settledWithin(running, withinMs)) ?? later(text));
  return answer.queue === undefined ? answer : queued(context, answer, answer.queue);
}

async function settledWithin(
  running: Promise<CommandAnswer>,
  withinMs: number,
): Promise<CommandAnswer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs);
  });
  try {
    return await Promise.race([running, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function later(text: string): CommandAnswer {
  const said = "This takes a little longer. The answer takes the place of this message.";
  return { message: message({ text: said, blocks: [section(said)], overflow: "cut" }), queue: text };
}

async function queued(
  { services, who, channel, now, responseUrl }: Omit<CommandContext, "rest" | "patient">,
  answer: CommandAnswer,
  text: string,
): Promise<CommandAnswer> {
  try {
    await services.queue.send({
      id: services.newId(),
      kind: "command",
      text,
      teamId: who.teamId,
      channel,
      userId: who.userId,
      responseUrl,
      queuedAt: now.toISOString(),
    });
    return answer;
  } catch (error) {
    return { message: failureMessage(error, services) };
  }
}
