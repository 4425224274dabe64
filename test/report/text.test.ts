import { describe, expect, it } from "vitest";
import { displayWidth, plain, wrap } from "#src/report/text.ts";

describe("plain", () => {
  it.each([
    ["an ANSI colour", "\x1b[31mred", "\\u{1b}[31mred"],
    ["a terminal title (OSC)", "\x1b]0;pwned\x07", "\\u{1b}]0;pwned\\u{7}"],
    ["a C1 control sequence", "\x9b2Jx", "\\u{9b}2Jx"],
    ["a direction override", "abc\u202exe.dmg", "abc\\u{202e}xe.dmg"],
    ["direction isolates", "\u2066a\u2069", "\\u{2066}a\\u{2069}"],
    ["a zero-width space", "pro\u200bd", "pro\\u{200b}d"],
    ["a soft hyphen", "pro\u00add", "pro\\u{ad}d"],
    ["a Hangul filler", "a\u3164b", "a\\u{3164}b"],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
    ["a line separator", "a\u2028b", "a\\u{2028}b"],
    ["newlines and tabs", "a\r\nb\tc\n", "a b c"],
    ["other scripts, untouched", "Zürich 東京 Ελλάδα", "Zürich 東京 Ελλάδα"],
    ["nothing", "", ""],
  ])("shows %s", (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});

describe("displayWidth", () => {
  it.each([
    ["prod", 4],
    ["東京", 4],
    ["한국", 4],
    ["ﾌﾟ", 1],
    ["e\u0301", 1],
    ["🚀", 2],
    ["Ｆull", 5],
  ])("of %s is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("wrap", () => {
  it.each([
    ["at spaces", "one two three", 7, ["one two", "three"]],
    ["inside a word that is too wide, without losing any of it", "eks:1111/a b", 5, ["eks:1", "111/a", "b"]],
    ["between wide characters", "東京都心", 5, ["東京", "都心"]],
    ["not at all when it fits", "one two", 7, ["one two"]],
    ["into one empty line when empty", "", 7, [""]],
  ])("breaks %s", (_, text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });
});
