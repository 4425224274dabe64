import { ProxyAuditError } from "#src/model/errors.ts";
import { answerMessage } from "../views/answer.ts";
import type { SlackCommand } from "./command.ts";

export const ask: SlackCommand = {
  name: "ask",
  usage: "QUESTION",
  what: "what people ask about the end of ipvs, with sources and your own numbers",
  async run({ services, rest, now }) {
    const question = rest.trim().slice(0, 500);
    if (question === "") {
      throw new ProxyAuditError("usage", "What? /proxy-audit ask is ipvs removed in 1.37?");
    }
    // Loaded when somebody asks: the answers are much text, and the search has to index it.
    const { ask: answer } = await import("#src/commands/ask.ts");
    return { message: answerMessage(await answer(question, services.store, now)) };
  },
};
