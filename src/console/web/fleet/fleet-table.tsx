import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { FleetRowJson } from "#src/console/server/fleet-json.ts";
import { counted } from "#src/report/text.ts";
import { ClusterLink } from "../cluster/cluster-link.tsx";
import { CoverageBadge, VerdictBadge } from "../ui/badges.tsx";
import { Button } from "../ui/button.tsx";
import { Choose } from "../ui/choose.tsx";
import { Age } from "../ui/when.tsx";
import type { Sort } from "./filters.ts";

interface FleetTableProps {
  rows: readonly FleetRowJson[];
  /** Clusters in the fleet, before filters. */
  total: number;
  target: string;
  sort: Sort;
  down: boolean;
  onSort: (sort: Sort) => void;
  onClear: () => void;
}

const ROW_HEIGHT = 53;

/**
 * A table that lays its rows out by itself: a `<tr>` laid out so is no row any more to some browsers, so the roles
 * stand there in words.
 *
 * The clusters, of which only those in sight are in the document: ten thousand scroll like ten. Rows are links,
 * and have their number for screen readers, since most of their siblings are not there.
 */
export function FleetTable(props: FleetTableProps) {
  const { rows, total, target } = props;
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const { current } = body;
      if (current !== null) setTop(current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const columns: [Sort | null, string][] = [
    ["name", "Cluster"],
    ["team", "Team"],
    ["version", "Version"],
    ["mode", "Mode"],
    ["verdict", `To ${target}`],
    [null, "Next action"],
    ["audited", "Audited"],
  ];
  return (
    <>
      <p className="muted table-count" role="status">
        {rows.length === total ? counted(total, "cluster") : `${rows.length} of ${counted(total, "cluster")}`}
        {props.sort !== "risk" && (
          <Button quiet onPress={() => props.onSort("risk")}>
            Order by risk
          </Button>
        )}
      </p>
      <div className="order-by">
        <Choose
          label="Order by"
          value={props.sort}
          options={[
            { id: "risk", text: "Risk" },
            ...columns.flatMap(([id, text]) => (id === null ? [] : [{ id, text }])),
          ]}
          onChange={(sort) => props.onSort(sort as Sort)}
        />
      </div>
      <div role="table" aria-labelledby="clusters" aria-rowcount={rows.length + 1} className="table">
        <div role="rowgroup" className="table-head">
          <div role="row" aria-rowindex={1} className="table-row">
            {columns.map(([sort, title]) => (
              <div
                key={title}
                role="columnheader"
                aria-sort={sort === props.sort ? (props.down ? "descending" : "ascending") : undefined}
              >
                {sort === null ? (
                  title
                ) : (
                  <button type="button" className="sort" onClick={() => props.onSort(sort)}>
                    {title}
                    <span aria-hidden="true">{sort === props.sort ? (props.down ? " ↓" : " ↑") : ""}</span>
                  </button>
                )}
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={body}
          className="table-body"
          style={{ height: `${virtual.getTotalSize()}px` }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                data-index={item.index}
                ref={virtual.measureElement}
                className="table-row"
                style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
              >
                <Cells row={row} target={target} />
              </div>
            );
          })}
        </div>
      </div>
      {rows.length === 0 && total > 0 && (
        <div className="table-none">
          <p>No cluster fits these filters.</p>
          <Button onPress={props.onClear}>Show all {total}</Button>
        </div>
      )}
    </>
  );
}

function Cells({ row, target }: { row: FleetRowJson; target: string }) {
  const place = [row.provider, row.environment, row.region].filter((part) => part !== null).join(" · ");
  const why = row.verdict === "blocked" ? row.blockers : row.verdict === "incomplete" ? row.unknown : [];
  return (
    <>
      <div role="cell" className="cell-name">
        <ClusterLink id={row.id}>{row.name}</ClusterLink>
        <span className="muted cell-place">{place}</span>
      </div>
      <div role="cell" data-label="Team">
        {row.team ?? <span className="muted">no team</span>}
      </div>
      <div role="cell" data-label="Version">
        {row.version ?? <span className="muted">unknown</span>}
      </div>
      <div role="cell" data-label="Mode">
        {row.modeText}
      </div>
      <div role="cell" data-label={`To ${target}`} className="cell-verdict">
        <VerdictBadge verdict={row.verdict} />
        {row.coverage === "audited" ? (
          <span className="muted cell-why">
            {why.slice(0, 2).join(", ")}
            {why.length > 2 ? " …" : ""}
          </span>
        ) : (
          <CoverageBadge coverage={row.coverage} />
        )}
      </div>
      <div role="cell" data-label="Next" className="cell-next">
        {row.nextAction}
      </div>
      <div role="cell" data-label="Audited" className="cell-audited muted">
        <Age at={row.auditedAt} />
      </div>
    </>
  );
}
