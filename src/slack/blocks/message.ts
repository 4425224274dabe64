import { type Block, type Blocks, flat, textLength } from "./block.ts";
import { BUDGETS, LIMITS } from "./limits.ts";
import { cutMrkdwn, type Inline, mrkdwnOf } from "./mrkdwn.ts";
import { context } from "./section.ts";
import { andMore, formatted } from "./text.ts";

/**
 * A message and the replies that continue it in its thread. Post it with `unfurl_links` and `unfurl_media` off:
 * names from clusters can look like addresses.
 */
export interface SlackMessage {
  /** What notifications and screen readers get, as mrkdwn. */
  text: string;
  blocks: Block[];
  thread: Block[][];
}

export interface MessageOptions {
  text: Inline;
  blocks: Blocks;
  /**
   * What becomes of blocks that one message does not hold: replies in its thread, or, where there is no thread
   * (an ephemeral answer), a last line that says how many are missing. `thread` is what a channel gets.
   */
  overflow?: "thread" | "cut";
  /** Where to see what is missing: a command, a page. */
  where?: string;
}

// Kept free in every message for the line that says how it goes on.
const NOTE_TEXT = BUDGETS.contextText + 100;

/** A message within Slack's limits: 50 blocks, one table, 9,000 characters of text. */
export function message(options: MessageOptions): SlackMessage {
  const [first = [], ...rest] = parts(options.blocks);
  const text = cutMrkdwn(mrkdwnOf(options.text), BUDGETS.fallbackText);
  if (rest.length === 0) return { text, blocks: first, thread: [] };
  const room = options.overflow === "cut" ? 0 : BUDGETS.threadMessages;
  const replies = rest.slice(0, room);
  const missing = rest.slice(room).flat().length;
  const left = missing === 0 ? [] : [context(andMore(missing, "parts of this answer", options.where))];
  const last = replies.at(-1);
  if (last === undefined) return { text, blocks: [...first, ...left], thread: [] };
  const many = replies.length === 1 ? "1 more message" : `${formatted(replies.length)} more messages`;
  return {
    text,
    blocks: [...first, context(`Continued in the thread: ${many}`)],
    thread: [...replies.slice(0, -1), [...last, ...left]],
  };
}

/**
 * The blocks in messages, each with room for one more line; what a builder made together stays together where
 * it can. One table a message: Slack refuses a second one (`only_one_table_allowed`), and counts `data_table` as
 * a table.
 */
function parts(groups: Blocks): Block[][] {
  const made: Block[][] = [];
  for (const group of groups) {
    const together = flat([group]);
    for (const blocks of fits(together) ? [together] : together.map((block) => [block])) {
      const part = made.at(-1);
      if (part !== undefined && fits([...part, ...blocks])) part.push(...blocks);
      else if (blocks.length > 0) made.push([...blocks]);
    }
  }
  return made;
}

function fits(blocks: readonly Block[]): boolean {
  return (
    blocks.length < LIMITS.blocksInMessage &&
    textLength(blocks) <= BUDGETS.messageText - NOTE_TEXT &&
    blocks.filter(({ type }) => type === "table" || type === "data_table").length <= 1
  );
}
