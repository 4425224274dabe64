import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { type RichElement, RichText } from "./rich-text.tsx";

export interface Cell {
  type: string;
  text?: string;
  elements?: readonly RichElement[];
}

export interface TableBlock {
  rows: readonly (readonly Cell[])[];
  column_settings?: readonly ({ align?: string } | null)[];
  caption?: string;
  page_size?: number;
}

/** A `table`, or a `data_table` with its pages. The first row is the header, as the app sends it. */
export function SlackTable({ block }: { block: TableBlock }) {
  const [page, setPage] = useState(0);
  const [header = [], ...rows] = block.rows;
  const size = block.page_size ?? rows.length;
  const pages = Math.max(1, Math.ceil(rows.length / Math.max(1, size)));
  const shown = rows.slice(page * size, (page + 1) * size);
  const align = (column: number, cell: Cell | undefined) =>
    `cell-${block.column_settings?.[column]?.align ?? (cell?.type === "raw_number" ? "right" : "left")}`;
  return (
    <div className="slack-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys */}
      <section className="scroll" tabIndex={0} aria-label={block.caption ?? "Table"}>
        <table>
          {block.caption !== undefined && <caption>{block.caption}</caption>}
          <thead>
            <tr>
              {header.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own
                <th key={column} scope="col" className={align(column, rows[0]?.[column])}>
                  <CellText cell={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own
              <tr key={index}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own
                  <td key={column} className={align(column, cell)}>
                    <CellText cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <div className="buttons small">
          <Button quiet isDisabled={page === 0} onPress={() => setPage(page - 1)}>
            Previous
          </Button>
          <span role="status">
            Page {page + 1} of {pages}
          </span>
          <Button quiet isDisabled={page === pages - 1} onPress={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </div>
  );
}

/** Raw cells parse nothing: names are shown as they are. */
function CellText({ cell }: { cell: Cell }) {
  return cell.type === "rich_text" ? <RichText elements={cell.elements ?? []} /> : (cell.text ?? "");
}
