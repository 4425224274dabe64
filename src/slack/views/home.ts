import type { HomeView } from "@slack/types";
import type { DigestView } from "#src/commands/digest.ts";
import { coverageText } from "#src/report/digest.ts";
import { nextActionInShort } from "#src/report/next-action.ts";
import { counted } from "#src/report/text.ts";
import { minuteOf } from "#src/report/when.ts";
import { countdown } from "#src/timeline/countdown.ts";
import type { Blocks, ViewBlock } from "../blocks/block.ts";
import { actions, type Choice, select } from "../blocks/elements.ts";
import { LIMITS } from "../blocks/limits.ts";
import { md } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { context, divider, header, section } from "../blocks/section.ts";
import { home } from "../blocks/view.ts";
import { lines, scope } from "./parts.ts";

export const CHOOSE_TEAM = "home-team";

export interface HomeContent {
  member: boolean;
  teams: readonly DigestView[];
  /** Every team with a cluster. */
  all: readonly string[];
  chosen: string | null;
}

/** Somebody's page: countdown, their teams' clusters at risk, waivers that expire. */
export function homeMessage({ member, teams, all, chosen }: HomeContent, now: Date): HomeView {
  if (!member) {
    return home({
      blocks: [section("You are not among those who may ask here: ask whoever installed the app.")],
    });
  }
  const { to140, to143 } = countdown(now);
  return home({
    where: "/proxy-audit fleet",
    blocks: [
      header("Leaving ipvs"),
      section(lines(md`*ipvs off by default:* ${to140.text}`, md`*ipvs removed:* ${to143.text}`)),
      ...(teams.length === 0 ? [section("You are in no team that is known here: choose one.")] : []),
      ...teamMenu(all, chosen),
      ...teams.flatMap(teamBlocks),
      scope(),
      context(`As of ${minuteOf(now.toISOString())}; months are estimates`),
    ],
  });
}

function teamMenu(all: readonly string[], chosen: string | null): Blocks<ViewBlock> {
  const [first, ...rest] = all
    .filter((team) => team !== "" && team.length <= LIMITS.optionValue)
    .map((team): Choice => ({ text: team, value: team }));
  if (first === undefined) return [section("No audited cluster belongs to a team yet.")];
  return [
    actions([
      select({
        action: CHOOSE_TEAM,
        placeholder: "Show a team",
        choices: [first, ...rest],
        ...(chosen === null ? {} : { initial: chosen }),
      }),
    ]),
  ];
}

function teamBlocks(view: DigestView): Blocks<ViewBlock> {
  const { team, atRisk, waiversExpiring, names } = view;
  return [
    divider(),
    header(`Team ${team}`),
    section(
      lines(
        md`*Coverage:* ${coverageText(view)}`,
        atRisk.length === 0 ? md`*At risk:* none, as far as it is known` : md`*At risk* (${atRisk.length}):`,
      ),
    ),
    ...(atRisk.length === 0
      ? []
      : [
          list(
            atRisk.map(({ audit }) => [
              { text: audit.name, bold: true as const },
              `: ${nextActionInShort(audit)} (audited ${minuteOf(audit.auditedAt)})`,
            ]),
            { what: "clusters", where: `/proxy-audit fleet team=${team}` },
          ),
        ]),
    ...(waiversExpiring.length === 0
      ? []
      : [
          section(md`*Waivers expiring* (${waiversExpiring.length}):`),
          list(
            waiversExpiring.map(
              ({ waiver, daysLeft }) =>
                `${waiver.check} on ${names[waiver.clusterId] ?? waiver.clusterId}: ${counted(daysLeft, "day")} left`,
            ),
            { what: "waivers", where: "proxy-audit waivers" },
          ),
        ]),
  ];
}
