import type { BurnDownPoint } from "#src/commands/digest.ts";
import type { Block } from "../blocks/block.ts";

/** docs.slack.dev, data visualization block: one to twenty points, labels of twenty characters at most. */
const POINTS_AT_MOST = 20;

/**
 * The burn-down as a line chart. `@slack/types` 3.2 does not know the block, and nobody has seen it in a workspace
 * of ours yet: it is sent only where the settings turn it on.
 */
export function burnDownChart(points: readonly BurnDownPoint[]): Block[] {
  const shown = points.slice(-POINTS_AT_MOST);
  // One point is no line.
  if (shown.length < 2) return [];
  const series = (name: string, of: (point: BurnDownPoint) => number) => ({
    name,
    data: shown.map((point) => ({ label: point.date, value: of(point) })),
  });
  const chart = {
    type: "data_visualization",
    title: "Clusters on ipvs",
    chart: {
      type: "line",
      series: [
        series("ipvs", ({ ipvs }) => ipvs),
        series("not set", ({ unset }) => unset),
        series("not known", ({ unknown }) => unknown),
      ],
      axis_config: { categories: shown.map(({ date }) => date) },
    },
  };
  return [chart as unknown as Block];
}
