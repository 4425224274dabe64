import { message, type SlackMessage } from "../blocks/message.ts";
import { code, md } from "../blocks/mrkdwn.ts";
import { context, header, section } from "../blocks/section.ts";
import type { SlackCommand } from "../commands/command.ts";
import { lines, scope } from "./parts.ts";

export function helpMessage(commands: readonly SlackCommand[]): SlackMessage {
  return message({
    text: "What /proxy-audit can do",
    overflow: "cut",
    blocks: [
      header("What /proxy-audit can do"),
      section(
        lines(
          ...commands.map(
            ({ name, usage, what }) => md`${code(`/proxy-audit ${name} ${usage}`.trim())}\n    ${what}`,
          ),
        ),
      ),
      context(
        "Names match by their beginning or end. Quote what holds spaces.",
        "Answers are seen by you alone; requests for approval and waivers by the channel.",
      ),
      scope(),
    ],
  });
}
