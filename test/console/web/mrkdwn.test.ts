import { describe, expect, it } from "vitest";
import { type Piece, parseMrkdwn } from "#src/console/web/slack/blocks/mrkdwn.ts";
import { md } from "#src/slack/blocks/mrkdwn.ts";

/** The pieces in a short form: `b(bold)`. */
function read(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.text;
        case "bold":
        case "italic":
        case "strike":
        case "quote":
          return `${piece.kind}(${read(piece.pieces)})`;
        case "link":
          return `link(${piece.url} ${piece.text})`;
        case "user":
        case "channel":
        case "usergroup":
          return `${piece.kind}(${piece.id})`;
        case "date":
          return `date(${piece.at} ${piece.format} ${piece.text})`;
        default:
          return `${piece.kind}(${piece.text})`;
      }
    })
    .join("");
}

describe("parseMrkdwn", () => {
  it.each([
    ["*bold* _italic_ ~struck~ `code`", "bold(bold) italic(italic) strike(struck) code(code)"],
    ["*bold _and italic_*", "bold(bold italic(and italic))"],
    ["_*both*_ **neither**", "italic(bold(both)) **neither**"],
    ["(*bold*), *bold*: *a*-*b*", "(bold(bold)), bold(bold): bold(a)-bold(b)"],
    ["snake_case_name 2*3*4 a~b~c", "snake_case_name 2*3*4 a~b~c"],
    ["* not bold * and *not\nbold*", "* not bold * and *not\nbold*"],
    ["`*not bold* <@U1> &lt;`", "code(*not bold* <@U1> <)"],
    ["```\n*raw* &amp;\n  kept\n```after", "preformatted(*raw* &\n  kept)after"],
    ["&gt; said\n&gt; so\nnext", "quote(said\nso)next"],
    ["a &gt; b", "a > b"],
    ["*<@U0ANN> approved*", "bold(user(U0ANN) approved)"],
    [
      "<#C0PAY> <!subteam^S0APP> <!here> <!channel>",
      "channel(C0PAY) usergroup(S0APP) broadcast(@here) broadcast(@channel)",
    ],
    ["<https://k8s.io/?a=1&amp;b=2|the *site*>", "link(https://k8s.io/?a=1&b=2 the *site*)"],
    ["<javascript:alert(1)|click>", "click"],
    [
      "<!date^1796040000^{date_short} {time}|2026-11-30 12:00 UTC>",
      "date(1796040000000 {date_short} {time} 2026-11-30 12:00 UTC)",
    ],
    ["&amp;lt;!channel&amp;gt;", "&lt;!channel&gt;"],
    ["1. not a list\n# not a heading\n- nor this", "1. not a list\n# not a heading\n- nor this"],
    [":smile: stays", ":smile: stays"],
    ["", ""],
  ])("reads %j as Slack does", (text, expected) => {
    expect(read(parseMrkdwn(text))).toBe(expected);
  });

  it.each(["<!channel> *x* & <http://evil|click>", "_a_ ~b~ `c` <@U0ANN>", "*", "&lt;!here&gt;", "> quote"])(
    "shows the name %j without a mention, link or format, as the app escapes it",
    (name) => {
      const pieces = parseMrkdwn(md`*Cluster* ${name} is blocked`.mrkdwn);
      expect(pieces.map(({ kind }) => kind)).toEqual(["bold", "text"]);
    },
  );
});
