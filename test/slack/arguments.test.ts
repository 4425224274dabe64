import { describe, expect, it } from "vitest";
import { parseArguments, quoted, splitCommand } from "#src/slack/commands/arguments.ts";

describe("what is typed after the command", () => {
  it.each<[string, { name: string; rest: string }]>([
    ["", { name: "", rest: "" }],
    ["  fleet  ", { name: "fleet", rest: "" }],
    ["cluster a  b ", { name: "cluster", rest: "a  b" }],
    ["ask is a &lt; b &amp;&amp; c &gt; d?", { name: "ask", rest: "is a < b && c > d?" }],
    ["ask &amp;lt;", { name: "ask", rest: "&lt;" }],
  ])("%j", (text, expected) => {
    expect(splitCommand(text)).toEqual(expected);
  });

  it.each<[string, string[], Record<string, string>]>([
    ["", [], {}],
    ["a b", ["a", "b"], {}],
    ["team=payments 1.40", ["1.40"], { team: "payments" }],
    ["TEAM=payments", [], { team: "payments" }],
    ['team="two words" x', ["x"], { team: "two words" }],
    ["“two words” ‘one’", ["two words", "one"], {}],
    ["„zwei Wörter“", ["zwei Wörter"], {}],
    ["it's fine", ["it's", "fine"], {}],
    ["team=", [], { team: "" }],
    ["a=b=c", ["a=b=c"].slice(1), { a: "b=c" }],
    ['""', [""], {}],
    ["1.40=x", ["1.40=x"], {}],
    ["eks:1/eu/a\tb\nc", ["eks:1/eu/a", "b", "c"], {}],
  ])("%j", (rest, words, options) => {
    expect(parseArguments(rest, ["team", "a"])).toEqual({ words, options });
  });

  it.each(["plain", "two words", "<!channel> *x* & <http://evil|click>", "it's", 'say "x"', "a=b", "größe"])(
    "comes back as it was when it is quoted: %j",
    (word) => {
      expect(parseArguments(quoted(word))).toEqual({ words: [word], options: {} });
    },
  );
});
