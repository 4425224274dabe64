/** A piece of Slack's mrkdwn, as a reader sees it. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "bold" | "italic" | "strike" | "quote"; pieces: Piece[] }
  | { kind: "code" | "preformatted"; text: string }
  | { kind: "link"; url: string; text: string }
  | { kind: "user" | "channel" | "usergroup"; id: string; text: string | null }
  | { kind: "broadcast"; text: string }
  /** In the reader's own time zone; `text` where that cannot be shown. */
  | { kind: "date"; at: number; format: string; text: string };

/**
 * Slack's mrkdwn (docs.slack.dev/messaging/formatting-message-text), by its rules: formatting begins and ends at
 * the edges of words and within a line; `<...>` is a mention, a date or a link; `&amp;`, `&lt;` and `&gt;` are
 * characters and never markup. Written here because renderers at hand take it for Markdown, and format names that
 * Slack shows literally.
 */
export function parseMrkdwn(text: string): Piece[] {
  return splitBy(text, /```\n?([\s\S]*?)```/g, ([, inner = ""]) => ({
    kind: "preformatted",
    text: unescaped(inner.replace(/\n$/, "")),
  })).flatMap((part) => (typeof part === "string" ? quotesIn(part) : [part]));
}

function quotesIn(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const block of text.split(/((?:^&gt; ?.*(?:\n|$))+)/gm)) {
    if (block === "") continue;
    if (!block.startsWith("&gt;")) pieces.push(...codeIn(block));
    else {
      const lines = block
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => line.replace(/^&gt; ?/, ""));
      pieces.push({ kind: "quote", pieces: codeIn(lines.join("\n")) });
    }
  }
  return pieces;
}

function codeIn(text: string): Piece[] {
  return splitBy(text, /`([^`\n]+)`/g, ([, inner = ""]) => ({
    kind: "code",
    text: unescaped(inner),
  })).flatMap((part) => (typeof part === "string" ? anglesIn(part) : [part]));
}

/** Formatting goes around mentions and links, so both are found together: `*<@U1> approved*`. */
function anglesIn(text: string): Piece[] {
  const found: Piece[] = [];
  const marked = text.replace(/<([^<>\n]+)>/g, (_, inner: string) => {
    found.push(angle(inner));
    return `\uE000${found.length - 1}\uE001`;
  });
  return formattedIn(marked, found);
}

// The character before and after decides whether a marker is one.
const FORMATTED = /(?<![\p{L}\p{N}*_~])([*_~])(?!\1|\s)((?:(?!\1)[^\n])*(?!\1)\S)\1(?![\p{L}\p{N}]|\1)/gu;
const KINDS = { "*": "bold", _: "italic", "~": "strike" } as const;

function formattedIn(text: string, found: readonly Piece[]): Piece[] {
  return splitBy(text, FORMATTED, ([, marker = "*", inner = ""]) => ({
    kind: KINDS[marker as keyof typeof KINDS],
    pieces: formattedIn(inner, found),
  })).flatMap((part) => (typeof part === "string" ? plainIn(part, found) : [part]));
}

function plainIn(text: string, found: readonly Piece[]): Piece[] {
  return splitBy(
    text,
    /\uE000(\d+)\uE001/g,
    ([whole, index = ""]) => found[Number(index)] ?? { kind: "text", text: whole },
  ).map((part) => (typeof part === "string" ? { kind: "text", text: unescaped(part) } : part));
}

function angle(inner: string): Piece {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? null : unescaped(inner.slice(bar + 1));
  const [, mark, id = ""] = /^([@#])([A-Z0-9]+)$/.exec(target) ?? [];
  if (mark !== undefined) return { kind: mark === "@" ? "user" : "channel", id, text: label };
  const [, group] = /^!subteam\^([A-Z0-9]+)$/.exec(target) ?? [];
  if (group !== undefined) return { kind: "usergroup", id: group, text: label };
  const [, seconds, format = ""] = /^!date\^(\d+)\^([^^]+)(?:\^.*)?$/.exec(target) ?? [];
  if (seconds !== undefined) return { kind: "date", at: Number(seconds) * 1000, format, text: label ?? "" };
  if (target.startsWith("!")) return { kind: "broadcast", text: `@${target.slice(1)}` };
  const url = unescaped(target);
  // Only what a browser may be led to; anything else is shown as it stands there.
  return /^(?:https?|mailto):/i.test(url)
    ? { kind: "link", url, text: label ?? url }
    : { kind: "text", text: label ?? `<${url}>` };
}

/** The three entities that Slack has; others are text. */
function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function splitBy(
  text: string,
  pattern: RegExp,
  piece: (match: RegExpMatchArray) => Piece,
): (string | Piece)[] {
  const parts: (string | Piece)[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push(piece(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}
