import { plain } from "#src/report/text.ts";

/** Shown where a text is empty: Slack refuses empty texts, and a reader should see that there was nothing. */
const NOTHING = "-";

/** Text from outside on one line, nothing invisible in it, never empty. For everything that parses no markup. */
export function shown(text: string): string {
  const line = plain(text);
  return line === "" ? NOTHING : line;
}

/** As `shown`, with the line breaks that the text has; blank lines at its ends are dropped. */
export function shownLines(text: string): string {
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map(plain)
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
  return lines.trim() === "" ? NOTHING : lines;
}

/**
 * The text within `limit` UTF-16 units, never ending inside a character. Where something is left out, the last
 * character says so, and in longer texts how much it was.
 */
export function cut(text: string, limit: number): string {
  return cutAt(text, limit, characters);
}

const characters = /[\s\S]/gu;

/** Cuts only between matches of `pieces`, which must together cover the text. */
export function cutAt(text: string, limit: number, pieces: RegExp): string {
  if (text.length <= limit) return text;
  const room = limit - (limit < 100 ? 1 : "… (1,000,000 more characters)".length);
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (index + piece.length > room) break;
    end = index + piece.length;
  }
  const kept = text.slice(0, end).trimEnd();
  if (limit < 100) return `${kept}…`;
  return `${kept}… (${formatted(text.length - kept.length)} more characters)`;
}

/** `… and 12 more nodes`, with where to see them when there is a place. */
export function andMore(count: number, what: string, where?: string): string {
  const place = where === undefined ? "" : `: ${cut(where, 200)}`;
  return `… and ${formatted(count)} more ${cut(what, 50)}${place}`;
}

/** `12,345`, the same on every machine. */
export function formatted(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `&`, `<` and `>` as Slack wants them, exactly these three (docs.slack.dev/messaging/formatting-message-text). */
export function escapeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// Lookalikes, because mrkdwn has no escape for its formatting characters and zero-width tricks stay behind
// in what people copy.
const LOOKALIKES: Readonly<Record<string, string>> = { "*": "∗", "~": "∼", "`": "ˋ" };
const EMOJI_CODE = /:(?=[\w+'-]+:)|(?<=:[\w+'-]+):/g;

/**
 * Text from outside, shown literally where Slack parses mrkdwn: one line, no mention, link, emoji or formatting
 * comes of it. An underscore inside a word stays as it is (Slack formats at word boundaries only), so that most
 * names survive copying; what is meant to be copied belongs in `code` or rich text.
 */
export function escapeMrkdwn(text: string): string {
  const inert = plain(text)
    .replace(/[*~`]/g, (character) => LOOKALIKES[character] ?? character)
    .replace(/_+/g, (run, at: number, all: string) =>
      isWord(all[at - 1]) && isWord(all[at + run.length]) ? run : "ˍ".repeat(run.length),
    )
    .replace(EMOJI_CODE, "∶")
    // Slack stores a quote as `&gt;` at the start of a line, so the entity alone does not stop it.
    .replace(/^>+/, (run) => "›".repeat(run.length));
  return inert === "" ? NOTHING : escapeEntities(inert);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
