import { closestName } from "#src/inventory/closest-name.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { section } from "../blocks/section.ts";
import { helpMessage } from "../views/help.ts";
import { approve } from "./approve.ts";
import { splitCommand } from "./arguments.ts";
import { ask } from "./ask.ts";
import { blockers } from "./blockers.ts";
import { cluster } from "./cluster.ts";
import type { CommandAnswer, CommandContext, SlackCommand } from "./command.ts";
import { countdown } from "./countdown.ts";
import { digest } from "./digest.ts";
import { explain } from "./explain.ts";
import { fleet } from "./fleet.ts";
import { plan } from "./plan.ts";
import { scan } from "./scan.ts";
import { subscribe } from "./subscribe.ts";
import { waive } from "./waive.ts";

/** In the order of `help`. */
export const COMMANDS: readonly SlackCommand[] = [
  fleet,
  cluster,
  countdown,
  blockers,
  approve,
  scan,
  waive,
  ask,
  explain,
  plan,
  subscribe,
  digest,
];

export function commandOf(text: string): SlackCommand | undefined {
  const typed = splitCommand(text).name.toLowerCase();
  return COMMANDS.find(({ name }) => name === typed);
}

/** Does what was typed after `/proxy-audit`. Whatever goes wrong is said, so that nobody waits for an answer. */
export async function runCommand(
  context: Omit<CommandContext, "rest">,
  text: string,
): Promise<CommandAnswer> {
  const { services, who } = context;
  try {
    if (!(await services.roles.has(who, "member"))) {
      return { message: said("You are not among those who may ask here: ask whoever installed the app.") };
    }
    const { name, rest } = splitCommand(text);
    if (name === "" || name.toLowerCase() === "help") return { message: helpMessage(COMMANDS) };
    const command = commandOf(text);
    if (command !== undefined) return await command.run({ ...context, rest });
    const nearest = closestName(
      name,
      COMMANDS.map((one) => one.name),
    );
    const hint =
      nearest === undefined ? "/proxy-audit help lists them." : `Did you mean /proxy-audit ${nearest}?`;
    return { message: said(`"${name}" is not a command. ${hint}`) };
  } catch (error) {
    return { message: failureMessage(error, services) };
  }
}

/** An error of ours in its own words; of any other, a reference to find it by in the log. */
export function failureMessage(
  error: unknown,
  { newId, log }: Pick<CommandContext["services"], "newId" | "log">,
): SlackMessage {
  if (error instanceof ProxyAuditError) return said(error.message);
  const reference = newId().slice(0, 8);
  log({ code: "command-failed", reference, detail: error instanceof Error ? error.name : "unknown" });
  return said(`That did not work, and it is not your fault. The log says why, at reference ${reference}.`);
}

function said(text: string): SlackMessage {
  return message({ text, blocks: [section(text)], overflow: "cut" });
}
