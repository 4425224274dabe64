import type { Check } from "#src/checks/index.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { preformatted } from "../blocks/rich-text.ts";
import { context, header, section } from "../blocks/section.ts";
import { literalMarkdown } from "./markdown.ts";

/** A check as its folder explains it. */
export function checkMessage({ check, readme }: { check: Check; readme: string }): SlackMessage {
  return message({
    text: md`${check.id}: ${check.title}`,
    overflow: "cut",
    where: `proxy-audit explain ${check.id}`,
    blocks: [
      header(check.id),
      section(md`*${check.title}*`),
      ...readmeBlocks(readme),
      context(
        check.canBlock === null
          ? "It only warns: it never blocks an upgrade."
          : `It can block an upgrade: ${check.canBlock}.`,
      ),
    ],
  });
}

/** Paragraphs and lists as text, code and tables in a fixed width. */
function readmeBlocks(readme: string): Blocks<Block> {
  const [, ...rest] = readme.trim().split("\n");
  const paragraphs = rest
    .join("\n")
    .trim()
    .split(/\n{2,}/);
  return paragraphs.map((paragraph) =>
    /^(```| {4}|\|)/.test(paragraph)
      ? preformatted(paragraph.replace(/^```\w*\n?|```$/g, ""))
      : section(literalMarkdown(paragraph)),
  );
}
