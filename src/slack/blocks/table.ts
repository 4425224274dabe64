import type { ContextBlock } from "@slack/types";
import { type RawCell, type TextDataTable, type TextTable, textLength } from "./block.ts";
import { BUDGETS, LIMITS } from "./limits.ts";
import { context } from "./section.ts";
import { andMore, cut, formatted, shown } from "./text.ts";

/** Cells parse no markup: names are shown as they are. */
type Cell = string | number;

interface Column {
  title: string;
  align?: "left" | "center" | "right";
}

export interface Table {
  columns: readonly [Column, ...Column[]];
  rows: readonly (readonly Cell[])[];
  /** What a row is, in the plural: `clusters`. */
  what: string;
  /** Where the rows are that do not fit: `proxy-audit fleet --team payments`. */
  where?: string;
}

/** A table, and a line below it for the rows and columns that do not fit. */
export function table(content: Table): [TextTable, ...ContextBlock[]] {
  const { header, rows } = fitting(content);
  return [
    {
      type: "table",
      rows: [header, ...rows],
      column_settings: header.map((_, column) => ({
        align: content.columns[column]?.align ?? "left",
        is_wrapped: true,
      })),
    },
    ...leftOut(content, rows.length),
  ];
}

/** A table that a reader pages, sorts and filters. Without a row there is nothing to page: a plain table. */
export function dataTable(
  content: Table & { caption: string; pageSize?: number },
): [TextDataTable | TextTable, ...ContextBlock[]] {
  const { header, rows } = fitting(content);
  if (rows.length === 0) return table(content);
  return [
    {
      type: "data_table",
      caption: cut(shown(content.caption), BUDGETS.tableCaption),
      page_size: Math.min(Math.max(Math.trunc(content.pageSize ?? 20), 1), 100),
      rows: [header, ...rows],
    },
    ...leftOut(content, rows.length),
  ];
}

/** The rows that fit, every one as long as the header (Slack refuses ragged rows in a data_table). */
function fitting({ columns, rows }: Table): { header: RawCell[]; rows: RawCell[][] } {
  const header = columns.slice(0, LIMITS.tableColumns).map(({ title }) => cell(title));
  const kept: RawCell[][] = [];
  let length = textLength(header);
  for (const row of rows.slice(0, LIMITS.tableRows - 1)) {
    const next = header.map((_, column) => cell(row[column] ?? ""));
    length += textLength(next);
    if (length > BUDGETS.tableText) break;
    kept.push(next);
  }
  return { header, rows: kept };
}

function cell(value: Cell): RawCell {
  if (typeof value === "number" && Number.isFinite(value)) {
    return { type: "raw_number", value, text: Number.isInteger(value) ? formatted(value) : String(value) };
  }
  return { type: "raw_text", text: cut(shown(String(value)), BUDGETS.tableCell) };
}

function leftOut({ columns, rows, what, where }: Table, kept: number): ContextBlock[] {
  const notes = [
    ...(rows.length > kept ? [andMore(rows.length - kept, what, where)] : []),
    ...(columns.length > LIMITS.tableColumns
      ? [andMore(columns.length - LIMITS.tableColumns, "columns", where)]
      : []),
  ];
  return notes.length === 0 ? [] : [context(...notes)];
}
