import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  code,
  cutMrkdwn,
  joined,
  link,
  literalLines,
  localTime,
  md,
  mention,
} from "#src/slack/blocks/mrkdwn.ts";
import { andMore, cut, escapeMrkdwn, shown, shownLines } from "#src/slack/blocks/text.ts";
import { EVIL, hostileText } from "./hostile.ts";

describe("escapeMrkdwn", () => {
  it.each([
    ["mentions, links and formatting", EVIL, "&lt;!channel&gt; ∗x∗ &amp; &lt;http://evil|click&gt;"],
    ["what looks escaped already", "a &amp; b", "a &amp;amp; b"],
    ["a code span", "`rm -rf`", "ˋrm -rfˋ"],
    ["underscores that would be italics", "_x_ and __init__", "ˍxˍ and ˍˍinitˍˍ"],
    ["underscores inside a name, untouched", "node_pool_1", "node_pool_1"],
    ["strike-through", "~gone~", "∼gone∼"],
    ["an emoji code", "prod:fire:eu", "prod∶fire∶eu"],
    ["an image and its tag", "eks:111122223333/eu-west-1/payments", "eks:111122223333/eu-west-1/payments"],
    ["a quote", ">> said", "›› said"],
    ["a line break", "a\nb", "a b"],
    ["a direction override", "a\u202eb", "a\\u{202e}b"],
    ["a zero-width space", "a\u200bb", "a\\u{200b}b"],
    ["a terminal escape", "\u001b[31mred", "\\u{1b}[31mred"],
    ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
    ["nothing", "", "-"],
    ["nothing visible", " \n ", "-"],
  ])("shows %s", (_, text, mrkdwn) => {
    expect(escapeMrkdwn(text)).toBe(mrkdwn);
  });

  it("leaves nothing that Slack could take for markup, whatever the text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const escaped = escapeMrkdwn(text);
        expect(escaped).not.toMatch(/[<>*~`\n]|&(?!amp;|lt;|gt;)|^&gt;|:[\w+'-]+:|[\u200b\u202e]/);
        expect(escaped.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("shown", () => {
  it("keeps one line, and shownLines the line breaks", () => {
    expect([shown("a\nb\u202e"), shown(""), shownLines("\na\r\n\nb\u200b\n"), shownLines("\n\n")]).toEqual([
      "a b\\u{202e}",
      "-",
      "a\n\nb\\u{200b}",
      "-",
    ]);
  });
});

describe("cut", () => {
  it.each([
    ["what fits", "short", 10, "short"],
    ["between characters", "😀😀😀😀", 6, "😀😀…"],
    ["without a space before the mark", "one two three", 5, "one…"],
    ["saying how much is missing", "x".repeat(200), 100, `${"x".repeat(71)}… (129 more characters)`],
  ])("leaves %s", (_, text, limit, result) => {
    expect(cut(text, limit)).toBe(result);
  });
});

describe("cutMrkdwn", () => {
  it("never ends inside an entity, a link or a code block, and stays within the limit", () => {
    const cutAt = (limit: number) =>
      cutMrkdwn(
        md`${"&".repeat(300)} ${link("https://example.com/a|b?c=1&d=2", "<x>")} ${"y".repeat(200)}`,
        limit,
      );
    for (let limit = 110; limit < 2_000; limit += 1) {
      const text = cutAt(limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text.replace(/&(amp|lt|gt);|<https:[^<>]*\|&lt;x&gt;>/g, "")).not.toMatch(/[&<>]/);
    }
    expect(cutMrkdwn({ mrkdwn: `\`\`\`${"x".repeat(200)}\`\`\`` }, 120)).toMatch(/\n```$/);
  });

  it("shows that there was nothing", () => {
    expect(cutMrkdwn({ mrkdwn: "  " }, 100)).toBe("-");
  });
});

describe("md", () => {
  it("escapes what is put in, and keeps what is markup", () => {
    expect([
      md`*${EVIL}* has ${3} nodes, see ${code("kubectl get `x` <y>")}`,
      joined(["a*b", md`*c*`], " · "),
      literalLines("one <\n\n*two*"),
    ]).toEqual([
      {
        mrkdwn:
          "*&lt;!channel&gt; ∗x∗ &amp; &lt;http://evil|click&gt;* has 3 nodes, see `kubectl get ˋxˋ &lt;y&gt;`",
      },
      { mrkdwn: "a∗b · *c*" },
      { mrkdwn: "one &lt;\n\n∗two∗" },
    ]);
  });

  it.each([
    ["a web address", link("https://example.com/?a=1&b=2", "see"), "<https://example.com/?a=1&amp;b=2|see>"],
    ["a bar in an address", link("https://example.com/a|b", "see"), "<https://example.com/a%7Cb|see>"],
    ["a script for a link", link("javascript:alert(1)", "see"), "see"],
    ["no address for a link", link("<!channel>", "<!here>"), "&lt;!here&gt;"],
    ["a user", mention("U12345678"), "<@U12345678>"],
    ["a user group", mention("S12345678"), "<!subteam^S12345678>"],
    ["a mention that is none", mention("!channel> U1"), "!channel&gt; U1"],
    [
      "a time",
      localTime(new Date("2027-08-18T14:05:00Z")),
      "<!date^1818597900^{date_short_pretty} {time}|2027-08-18 14:05 UTC>",
    ],
  ])("makes %s", (_, made, mrkdwn) => {
    expect(made.mrkdwn).toBe(mrkdwn);
  });
});

describe("andMore", () => {
  it("says how many, of what, and where", () => {
    expect([andMore(1_234, "nodes"), andMore(2, "clusters", "proxy-audit fleet")]).toEqual([
      "… and 1,234 more nodes",
      "… and 2 more clusters: proxy-audit fleet",
    ]);
  });
});
