/**
 * Everything that a terminal, a browser or a reader's eye acts on without showing it: control characters (ANSI
 * sequences start with one), lone surrogates, line and paragraph separators, direction overrides, zero-width
 * and other invisible characters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text from outside on one line, with every invisible character spelled out (`\u{202e}`): names come from
 * clusters and files, and what cannot be seen must not rearrange, hide or colour what can.
 */
export function plain(text: string): string {
  return text
    .replace(/[\t\n\v\f\r]+/g, " ")
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .trim();
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

// Two columns in terminals: East Asian wide and fullwidth letters, and what is drawn as an emoji by default.
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;
const HALFWIDTH = /^[\uff61-\uffdc\uffe8-\uffee]/u;

/** Columns that the text takes in a terminal. Expects `plain` text. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{M}/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALFWIDTH.test(grapheme) ? 2 : 1;
}

/**
 * The text in lines of at most `width` columns, broken at spaces, and inside a word only where the word alone
 * is wider: a cluster's identifier is never cut off. One empty line for empty text.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (displayWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = piecesOf(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

/** A word cut into pieces of at most `width` columns; a character wider than that stays whole. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let taken = 0;
  for (const { segment } of graphemes.segment(word)) {
    const columns = graphemeWidth(segment);
    if (piece !== "" && taken + columns > width) {
      pieces.push(piece);
      piece = "";
      taken = 0;
    }
    piece += segment;
    taken += columns;
  }
  return [...pieces, piece];
}

/** `12 nodes`, `1 node`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
