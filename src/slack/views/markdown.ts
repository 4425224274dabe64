import { code, type Inline, joined, md } from "../blocks/mrkdwn.ts";

/**
 * The Markdown that our own readmes use, as mrkdwn: headings and strong words bold, code as code, items with a
 * bullet. Everything else stays literal.
 */
export function literalMarkdown(text: string): Inline {
  return joined(text.split("\n").map(lineOf), "\n");
}

function lineOf(line: string): Inline {
  const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
  if (heading !== undefined) return md`*${heading}*`;
  const [, indent = "", item] = /^(\s*)[-*] (.*)$/.exec(line) ?? [];
  if (item !== undefined) return joined([{ mrkdwn: `${indent}• ` }, inline(item)], "");
  return inline(line);
}

function inline(line: string): Inline {
  const parts = line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter((part) => part !== "");
  return joined(
    parts.map((part) => {
      if (part.startsWith("`") && part.endsWith("`") && part.length > 2) return code(part.slice(1, -1));
      if (part.startsWith("**") && part.endsWith("**")) return md`*${part.slice(2, -2)}*`;
      return spaced(part);
    }),
    "",
  );
}

/** Escaping trims; the spaces between code and words are the sentence's. */
function spaced(part: string): Inline {
  const before = /^\s/.test(part) ? " " : "";
  const after = /\S\s$/.test(part) ? " " : "";
  return part.trim() === "" ? { mrkdwn: " " } : joined([{ mrkdwn: before }, part, { mrkdwn: after }], "");
}
