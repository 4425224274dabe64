import type { Answer } from "#src/knowledge/search.ts";
import type { ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";
import { painter } from "./paint.ts";
import { plain, wrap } from "./text.ts";

/** An answer with how certain it is and who says so; where there is none, the nearest questions. */
export function renderAnswer(answer: Answer, options: ViewOptions): string {
  if (options.output === "json") return renderDocument({ schemaVersion: 1, ...answer });
  const width = Math.max(40, Math.min(options.columns, 100));
  const paint = painter(options.colour);
  if (answer.kind === "unsure") {
    return `${[
      "No answer to that is known here. The nearest questions are:",
      ...answer.nearest.flatMap(({ question }) => wrap(`- ${question}`, width)),
    ].join("\n")}\n`;
  }
  const lines = [
    paint.strong(answer.entry.question),
    ...wrap(answer.text, width),
    ...(answer.fleetLine === undefined ? [] : ["", ...wrap(plain(answer.fleetLine), width)]),
    "",
    `Certainty: ${answer.certainty}`,
    "Sources:",
    ...answer.sources.flatMap((source) =>
      wrap(`- ${source.source}${source.sourceUrl === undefined ? "" : ` (${source.sourceUrl})`}`, width),
    ),
    ...(answer.alsoAsked.length === 0
      ? []
      : ["", "People also ask:", ...answer.alsoAsked.flatMap((question) => wrap(`- ${question}`, width))]),
  ];
  return `${lines.join("\n")}\n`;
}
