import { useQuery } from "@tanstack/react-query";
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Rollup } from "#src/store/records.ts";
import { getJson } from "../api.ts";
import { ErrorPanel, Loading } from "../ui/panels.tsx";

interface Point {
  date: string;
  ipvs: number;
  unset: number;
  unknown: number;
  clusters: number;
}

const SERIES = [
  { key: "ipvs", name: "in ipvs mode", className: "series-ipvs" },
  { key: "unset", name: "no mode chosen", className: "series-unset" },
  { key: "unknown", name: "unknown or not audited", className: "series-unknown" },
] as const;

/** Clusters that still have something to do, or of which nobody knows, week by week. */
export function BurnDown({ team }: { team: string }) {
  const history = useQuery({
    queryKey: ["history", team],
    queryFn: ({ signal }) =>
      getJson<{ rollups: Rollup[] }>(
        `/api/history${team === "" ? "" : `?team=${encodeURIComponent(team)}`}`,
        signal,
      ),
  });
  const title = team === "" ? "Burn-down" : `Burn-down of ${team}`;
  if (history.error !== null) {
    return (
      <ErrorPanel
        title="The history could not be read"
        message={history.error.message}
        retry={() => history.refetch()}
      />
    );
  }
  const points = (history.data?.rollups ?? []).map(pointOf);
  return (
    <section className="panel chart-panel" aria-labelledby="burn-down" aria-busy={history.isPending}>
      <div className="chart-head">
        <h2 id="burn-down">{title}</h2>
        <ul className="legend" aria-hidden="true">
          {SERIES.map(({ key, name, className }) => (
            <li key={key} className={className}>
              {name}
            </li>
          ))}
        </ul>
      </div>
      {history.isPending && <Loading what="the history" />}
      {points.length > 1 ? (
        <>
          <Chart points={points} />
          <Numbers points={points} />
        </>
      ) : (
        history.data !== undefined && (
          <p className="muted">
            {points[0] === undefined
              ? "Nothing has been counted yet: the first scan makes the first point."
              : `One day has been counted: ${sentence(points[0])}. A line needs a second day.`}
          </p>
        )
      )}
    </section>
  );
}

function Chart({ points }: { points: Point[] }) {
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height={150}>
        <AreaChart
          data={points}
          margin={{ top: 8, right: 12, bottom: 0, left: -18 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} className="chart-grid" />
          <XAxis dataKey="date" tickFormatter={dayOf} tickLine={false} minTickGap={28} />
          <YAxis allowDecimals={false} tickLine={false} axisLine={false} width={44} />
          <Tooltip content={<Tip />} isAnimationActive={false} />
          {SERIES.map(({ key, className }) => (
            <Area
              key={key}
              dataKey={key}
              stackId="left"
              type="stepAfter"
              className={className}
              fill="currentColor"
              stroke="currentColor"
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}

function Tip(props: { active?: boolean; payload?: readonly { payload?: Point }[] }) {
  const point = props.payload?.[0]?.payload;
  if (props.active !== true || point === undefined) return null;
  return (
    <div className="chart-tip">
      <strong>{point.date}</strong>
      {SERIES.map(({ key, name }) => (
        <div key={key}>
          {point[key]} {name}
        </div>
      ))}
      <div>{point.clusters} clusters</div>
    </div>
  );
}

/** What the chart shows, for those who cannot see it or want the numbers. */
function Numbers({ points }: { points: readonly Point[] }) {
  return (
    <details className="numbers">
      <summary>The numbers</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {SERIES.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">clusters</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.date}>
              <th scope="row">{point.date}</th>
              {SERIES.map(({ key }) => (
                <td key={key}>{point[key]}</td>
              ))}
              <td>{point.clusters}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function sentence({ ipvs, unset, unknown, clusters }: Point): string {
  return `${ipvs} of ${clusters} in ipvs mode, ${unset} without a chosen mode, ${unknown} unknown or not audited`;
}

function pointOf({ date, clusters, notAudited, modes }: Rollup): Point {
  return {
    date,
    clusters,
    ipvs: (modes.ipvs ?? 0) + (modes.mixed ?? 0),
    unset: modes.unset ?? 0,
    unknown: notAudited + (modes.unknown ?? 0),
  };
}

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

function dayOf(date: string): string {
  return DAY.format(new Date(date));
}
