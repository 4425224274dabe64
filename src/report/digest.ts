import { type DigestView, nothingToDo } from "#src/commands/digest.ts";
import { alignedColumns } from "./columns.ts";
import { countdownLines } from "./fleet.ts";
import type { ViewOptions } from "./gate.ts";
import { renderDocument } from "./json.ts";
import { nextActionInShort } from "./next-action.ts";
import { painter } from "./paint.ts";
import { counted, listed, plain, wrap } from "./text.ts";
import { VERDICT_SHORT } from "./verdict-text.ts";

/** "47 of 52 audited, 3 not reached, 2 denied": silence must not read as green. */
export function coverageText({ total, coverage }: Pick<DigestView, "total" | "coverage">): string {
  const gaps = [
    coverage.unreachable > 0 && `${coverage.unreachable} not reached`,
    coverage.denied > 0 && `${coverage.denied} denied`,
    coverage.stale > 0 && `${coverage.stale} stale`,
  ].filter((gap) => gap !== false);
  return [`${coverage.audited} of ${counted(total, "cluster")} audited`, ...gaps].join(", ");
}

/** A team's weekly digest as text, the same that Slack gets as blocks. */
export function renderDigest(view: DigestView, options: ViewOptions): string {
  if (options.output === "json") return renderDocument({ schemaVersion: 1, ...view });
  const width = Math.max(60, options.columns);
  const paint = painter(options.colour);
  if (view.total === 0) return `Team ${plain(view.team)} has no audited clusters.\n`;
  if (nothingToDo(view)) {
    return `${plain(view.team)}: nothing to do this week; ${coverageText(view)}. ${view.countdown.to140.text}.\n`;
  }
  const { migrated, newOnIpvs, newlyUnknown, newClusters } = view.changed;
  const change = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : wrap(`- ${what}: ${listed(names.map(plain))}`, width);
  const changes = [
    ...change("left ipvs", migrated),
    ...change("on ipvs now", newOnIpvs),
    ...change("mode became unknown", newlyUnknown),
    ...change("audited for the first time", newClusters),
  ];
  const lines = [
    paint.strong(`Weekly digest for ${plain(view.team)}`),
    ...countdownLines(view.countdown, width),
    ...wrap(`Coverage: ${coverageText(view)}.`, width),
    "",
    paint.strong("Changed since last week"),
    ...(changes.length === 0 ? ["- nothing"] : changes),
    "",
    paint.strong(`At risk: ${counted(view.atRisk.length, "cluster")}`),
    ...alignedColumns(
      ["CLUSTER", "MODE", "TO 1.40", "TO 1.43", "NEXT ACTION"],
      view.atRisk.map(({ audit, verdicts }) => [
        { text: plain(audit.name), paint: paint.strong },
        { text: audit.dataPlane.mode },
        { text: verdicts["1.40"] === undefined ? "-" : VERDICT_SHORT[verdicts["1.40"]] },
        { text: verdicts["1.43"] === undefined ? "-" : VERDICT_SHORT[verdicts["1.43"]] },
        { text: nextActionInShort(audit) },
      ]),
      width,
    ),
    ...(view.waiversExpiring.length === 0
      ? []
      : [
          "",
          paint.strong("Waivers expiring"),
          ...view.waiversExpiring.flatMap(({ waiver, daysLeft }) =>
            wrap(
              `- ${plain(waiver.check)} on ${plain(view.names[waiver.clusterId] ?? waiver.clusterId)}, by ${plain(waiver.owner)}: ${counted(daysLeft, "day")} left`,
              width,
            ),
          ),
        ]),
    "",
    paint.strong("Burn-down"),
    ...alignedColumns(
      ["DATE", "CLUSTERS", "IPVS", "UNSET", "UNKNOWN"],
      view.burnDown.map((point) => [
        { text: point.date },
        { text: String(point.clusters) },
        { text: String(point.ipvs) },
        { text: String(point.unset) },
        { text: String(point.unknown) },
      ]),
      width,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
