import { painter } from "./paint.ts";
import { wrap } from "./text.ts";

/** A check's readme for a terminal: headings stand out, paragraphs are wrapped, the rest stays as written. */
export function renderReadme(markdown: string, options: { colour: boolean; columns: number }): string {
  const paint = painter(options.colour);
  const width = Math.max(40, Math.min(options.columns, 100));
  const lines = markdown
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const heading = /^#+ (.*)$/.exec(line);
      if (heading) return [paint.strong(heading[1] ?? "")];
      const item = /^(\s*(?:[-*]|\d+\.) )(.*)$/.exec(line);
      if (item) {
        const [, bullet = "", text = ""] = item;
        return wrap(text, width - bullet.length).map(
          (part, at) => (at === 0 ? bullet : " ".repeat(bullet.length)) + part,
        );
      }
      return line.startsWith("    ") || line.startsWith("|") || line === "" ? [line] : wrap(line, width);
    });
  return `${lines.join("\n")}\n`;
}
