import { displayWidth, wrap } from "./text.ts";

export interface Cell {
  text: string;
  /** Applied to each printed line, after the widths are settled. */
  paint?: ((line: string) => string) | undefined;
}

const GAP = "  ";
const NARROWEST = 12;

/**
 * Rows under headings, in at most `width` terminal columns: the widest columns give way first, and their text
 * wraps, though not at no-break spaces. Nothing is cut off. (`cli-table3` shortens words that are wider than their column to `eks:1111…`,
 * which hides the very cluster that a row is about.)
 */
export function alignedColumns(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string[] {
  const natural = headings.map((heading, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, displayWidth(row[index]?.text ?? "")),
      displayWidth(heading),
    ),
  );
  const widths = fitted(natural, width - GAP.length * (headings.length - 1));
  const rule = widths.map((columns) => "─".repeat(columns)).join(GAP);
  const line = (cells: readonly Cell[]) => rowLines(cells, widths);
  return [...line(headings.map((text) => ({ text }))), rule, ...rows.flatMap(line)];
}

function fitted(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return widths;
}

function rowLines(cells: readonly Cell[], widths: readonly number[]): string[] {
  const wrapped = widths.map((width, index) => wrap(cells[index]?.text ?? "", width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    widths
      .map((width, index) => {
        const text = (wrapped[index]?.[at] ?? "").replaceAll("\u00a0", " ");
        const paint = cells[index]?.paint;
        const padding =
          index === widths.length - 1 ? "" : " ".repeat(Math.max(0, width - displayWidth(text)));
        return `${paint === undefined || text === "" ? text : paint(text)}${padding}`;
      })
      .join(GAP)
      .trimEnd(),
  );
}
