import type { Answer } from "#src/knowledge/search.ts";
import { actions, button } from "../blocks/elements.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { link, literalLines, md } from "../blocks/mrkdwn.ts";
import { context, header, section } from "../blocks/section.ts";

const CLAIMS = {
  true: "A popular claim, and it is true.",
  false: "A popular claim, and it is wrong.",
  half: "A popular claim, and only half of it is true.",
} as const;

/** An answer with its sources and certainty, or the nearest questions as buttons. */
export function answerMessage(answer: Answer): SlackMessage {
  if (answer.kind === "unsure") {
    const text = "No answer to that is known here. The nearest questions are:";
    return message({
      text,
      overflow: "cut",
      blocks: [section(text), ...questions(answer.nearest.map(({ question }) => question))],
    });
  }
  const { entry, text, certainty, sources, fleetLine, alsoAsked } = answer;
  return message({
    text: `${entry.question} ${text}`,
    overflow: "cut",
    where: "proxy-audit ask",
    blocks: [
      header(entry.question),
      ...(entry.claim === undefined ? [] : [context(CLAIMS[entry.claim])]),
      section(literalLines(text)),
      ...(fleetLine === undefined ? [] : [section(md`*Your fleet:* ${fleetLine}`)]),
      context(
        `Certainty: ${certainty}`,
        ...sources.map(({ source, sourceUrl }) =>
          sourceUrl === undefined ? source : link(sourceUrl, source),
        ),
      ),
      ...(alsoAsked.length === 0 ? [] : [section("People also ask:"), ...questions(alsoAsked)]),
    ],
  });
}

function questions(of: readonly string[]) {
  return of.length === 0
    ? []
    : [actions(of.map((question) => button({ action: "run", text: question, value: `ask ${question}` })))];
}
