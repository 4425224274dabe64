import { closestName } from "#src/inventory/closest-name.ts";
import { ProxyAuditError } from "#src/model/errors.ts";

/** `/proxy-audit NAME REST`. */
export function splitCommand(text: string): { name: string; rest: string } {
  const typed = unescaped(text).trim();
  const [, name = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(typed) ?? [];
  return { name, rest };
}

export interface Arguments {
  words: string[];
  options: Record<string, string>;
}

/**
 * Words, quoted ones whole, and `key=value` for the keys that the command knows.
 *
 * @throws ProxyAuditError `usage` for a key that it does not know, and for a quotation that does not end.
 */
export function parseArguments(rest: string, keys: readonly string[] = []): Arguments {
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (const { text, key } of tokensOf(rest)) {
    if (key === null) words.push(text);
    else if (keys.includes(key)) options[key] = text;
    else {
      const nearest = closestName(key, keys);
      const hint =
        keys.length === 0
          ? "This command takes no options."
          : `Did you mean ${nearest ?? keys.join("= or ")}=?`;
      throw new ProxyAuditError("usage", `${key}= is not an option here. ${hint}`);
    }
  }
  return { words, options };
}

interface Token {
  text: string;
  key: string | null;
}

/** Phones turn straight quotes into curly ones. */
const OPENING = /["'“”„‘’]/;
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": '”"',
  "”": '”"',
  "„": '“”"',
  "‘": "’'",
  "’": "’'",
};

function tokensOf(rest: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < rest.length) {
    if (/\s/.test(rest[at] ?? "")) {
      at += 1;
      continue;
    }
    const key = /^([a-z][a-z-]*)=/i.exec(rest.slice(at))?.[1]?.toLowerCase() ?? null;
    if (key !== null) at += key.length + 1;
    const value = valueAt(rest, at);
    tokens.push({ text: value.text, key });
    at = value.end;
  }
  return tokens;
}

function valueAt(rest: string, at: number): { text: string; end: number } {
  const quote = rest[at] ?? "";
  if (OPENING.test(quote)) {
    const ends = CLOSING[quote] ?? quote;
    const end = [...rest].findIndex((_, index) => index > at && ends.includes(rest[index] ?? " "));
    if (end < 0) throw new ProxyAuditError("usage", `the quotation that starts with ${quote} does not end.`);
    return { text: rest.slice(at + 1, end), end: end + 1 };
  }
  const word = /^\S*/.exec(rest.slice(at))?.[0] ?? "";
  return { text: word, end: at + word.length };
}

/** Slack sends these three as entities. */
function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** A word as it has to be typed to come back as one. */
export function quoted(word: string): string {
  if (/^[^\s"'“”„‘’=]+$/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
