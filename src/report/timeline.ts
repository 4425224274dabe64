import type { CountdownTo } from "#src/timeline/countdown.ts";
import type { TimelineRow } from "#src/timeline/rows.ts";
import { alignedColumns } from "./columns.ts";
import { countdownLines } from "./fleet.ts";
import type { ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";

export interface TimelineView {
  rows: readonly TimelineRow[];
  countdown: { to140: CountdownTo; to143: CountdownTo };
}

/** Stages by version, with when, how sure and who says so. */
export function renderTimeline(view: TimelineView, options: ViewOptions): string {
  if (options.output === "json") return renderDocument({ schemaVersion: 1, ...view });
  const width = Math.max(60, options.columns);
  const table = alignedColumns(
    ["VERSION", "WHEN", "CERTAINTY", "COMPONENT", "WHAT", "SOURCE"],
    view.rows.map((row) => [
      { text: row.version },
      { text: row.when },
      { text: row.certainty },
      { text: row.component },
      { text: row.what },
      { text: row.source },
    ]),
    width,
  );
  return `${[...countdownLines(view.countdown, width), "", ...table].join("\n")}\n`;
}
