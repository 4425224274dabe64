import { CHECKS, checkById } from "#src/checks/index.ts";
import { explainCheck } from "#src/commands/explain.ts";
import { message } from "../blocks/message.ts";
import { list } from "../blocks/rich-text.ts";
import { header, section } from "../blocks/section.ts";
import { checkMessage } from "../views/check.ts";
import { parseArguments } from "./arguments.ts";
import type { SlackCommand } from "./command.ts";

export const explain: SlackCommand = {
  name: "explain",
  usage: "[CHECK]",
  what: "what a check looks at, why it matters, what to do",
  async run({ rest }) {
    const [id] = parseArguments(rest).words;
    if (id === undefined) {
      return {
        message: message({
          text: `There are ${CHECKS.length} checks`,
          overflow: "cut",
          blocks: [
            header(`${CHECKS.length} checks`),
            list(CHECKS.map((check) => [{ text: check.id, code: true }, ` ${check.title}`])),
            section("/proxy-audit explain CHECK says more about one."),
          ],
        }),
      };
    }
    const known = checkById(id.toLowerCase());
    if (known === undefined) await explainCheck(id);
    return { message: checkMessage(await explainCheck(known?.id ?? id)) };
  },
};
