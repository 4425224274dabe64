import { type BurnDownPoint, type DigestView, nothingToDo } from "#src/commands/digest.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { coverageText } from "#src/report/digest.ts";
import { nextActionInShort } from "#src/report/next-action.ts";
import { counted } from "#src/report/text.ts";
import { MILESTONES } from "#src/verdict/targets.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { code, type Inline, md, mention } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { context, header, section } from "../blocks/section.ts";
import { table } from "../blocks/table.ts";
import { quoted } from "../commands/arguments.ts";
import { aboutAudits, lines, scope, some, verdictText } from "../views/parts.ts";
import { burnDownChart } from "./chart.ts";

const AT_RISK_SHOWN = 8;

/** A team's week: the headline and what to do first, everything else in the thread. */
export function digestMessage(view: DigestView, options: { now: Date; charts: boolean }): SlackMessage {
  const { team, countdown, atRisk, total } = view;
  const coverage = coverageText(view);
  if (total === 0) {
    return oneLine(
      `No audited cluster belongs to team ${team}: nothing is known, which is not the same as fine.`,
    );
  }
  if (nothingToDo(view)) {
    return oneLine(`${team}: nothing to do this week. ${coverage}. ${countdown.to140.text}.`);
  }
  const main = message({
    text: `${team}: ${counted(atRisk.length, "cluster")} at risk; ${coverage}`,
    blocks: [
      header(`Leaving ipvs: the week of team ${team}`),
      section(
        lines(
          md`*ipvs off by default:* ${countdown.to140.text}`,
          md`*ipvs removed:* ${countdown.to143.text}`,
          md`*Coverage:* ${coverage}`,
          md`*Burn-down:* ${burnDownText(view.burnDown)}`,
        ),
      ),
      ...(options.charts ? burnDownChart(view.burnDown) : []),
      burnDownTable(view.burnDown),
      section(changesText(view)),
      ...atRiskList(view),
      ...waiversList(view),
      context(
        "Months are estimates by upstream's release rhythm, days are published ones",
        md`Details in the thread; ${code(`/proxy-audit fleet team=${quoted(team)}`)} shows them at any time`,
      ),
    ],
  });
  return { ...main, thread: [...main.thread, ...details(view, options.now)] };
}

function oneLine(text: string): SlackMessage {
  return message({ text, blocks: [section(text)], overflow: "cut" });
}

/** `9 of 14 clusters on ipvs, 2 fewer than on 2027-02-01`. */
function burnDownText(points: readonly BurnDownPoint[]): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "begins with this week";
  const unknown = last.unknown === 0 ? "" : `, ${last.unknown} not known`;
  const now = `${last.ipvs} of ${counted(last.clusters, "cluster")} on ipvs${unknown}`;
  if (points.length === 1) return `${now}; it begins with this week`;
  const change = last.ipvs - first.ipvs;
  const than = change === 0 ? "as many as" : change < 0 ? `${-change} fewer than` : `${change} more than`;
  return `${now}, ${than} on ${first.date}`;
}

function burnDownTable(points: readonly BurnDownPoint[]) {
  return table({
    what: "weeks",
    columns: [
      { title: "Burn-down" },
      { title: "Clusters", align: "right" },
      { title: "ipvs", align: "right" },
      { title: "Not set", align: "right" },
      { title: "Not known", align: "right" },
    ],
    rows: points.map((point) => [point.date, point.clusters, point.ipvs, point.unset, point.unknown]),
  });
}

function changesText({ changed }: DigestView): Inline {
  const told = [
    ["left ipvs", changed.migrated],
    ["on ipvs now", changed.newOnIpvs],
    ["mode became unknown", changed.newlyUnknown],
    ["audited for the first time", changed.newClusters],
  ] as const;
  const parts = told.filter(([, names]) => names.length > 0);
  if (parts.length === 0) return md`*Changed since last week:* nothing`;
  return lines(md`*Changed since last week*`, ...parts.map(([what, names]) => md`• ${what}: ${some(names)}`));
}

function atRiskList({ atRisk, team }: DigestView): Blocks<Block> {
  if (atRisk.length === 0) return [];
  const more = atRisk.length - AT_RISK_SHOWN;
  return [
    [
      section(md`*At risk* (${atRisk.length}), the one next action each; owner: team ${team}`),
      list(
        atRisk
          .slice(0, AT_RISK_SHOWN)
          .map(({ audit }) => [{ text: audit.name, bold: true as const }, `: ${nextActionInShort(audit)}`]),
      ),
      ...(more > 0 ? [context(`… and ${more} more clusters, in the thread`)] : []),
    ],
  ];
}

function waiversList({ waiversExpiring, names }: DigestView): Blocks<Block> {
  if (waiversExpiring.length === 0) return [];
  return [
    [
      section(md`*Waivers expiring* (${waiversExpiring.length})`),
      section(
        lines(
          ...waiversExpiring
            .slice(0, 10)
            .map(
              ({ waiver, daysLeft }) =>
                md`• ${waiver.check} on ${names[waiver.clusterId] ?? waiver.clusterId}, by ${mention(waiver.owner)}: ${counted(daysLeft, "day")} left`,
            ),
          waiversExpiring.length > 10 ? `and ${waiversExpiring.length - 10} more: proxy-audit waivers` : null,
        ),
      ),
    ],
  ];
}

function details(view: DigestView, now: Date): Block[][] {
  const audits = view.atRisk.map(({ audit }) => audit);
  const built = message({
    text: "Details",
    where: `proxy-audit digest --team ${view.team}`,
    blocks: [
      ...(view.atRisk.length === 0
        ? []
        : [
            table({
              what: "clusters",
              where: `proxy-audit fleet --team ${view.team} --at-risk`,
              columns: [
                { title: "At risk" },
                { title: "Mode" },
                ...MILESTONES.map((target) => ({ title: `To ${target}` })),
                { title: "Next action" },
              ],
              rows: view.atRisk.map(({ audit, verdicts, stale }) => [
                stale ? `${audit.name} (stale)` : audit.name,
                modeText(audit.dataPlane),
                ...MILESTONES.map((target) => {
                  const word = verdicts[target];
                  return word === undefined ? "already there" : verdictText(word);
                }),
                nextActionInShort(audit),
              ]),
            }),
          ]),
      aboutAudits(audits, now),
      scope(),
    ],
  });
  return [built.blocks, ...built.thread];
}
