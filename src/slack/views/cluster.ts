import type { ClusterStanding } from "#src/commands/cluster.ts";
import { factsOf } from "#src/report/cluster-facts.ts";
import { timingText } from "#src/report/finding-view.ts";
import { nextAction } from "#src/report/next-action.ts";
import { bySeverity, passedChecks, SEVERITY_HEADINGS } from "#src/report/severity.ts";
import { counted } from "#src/report/text.ts";
import { VERDICT_ORDER } from "#src/report/verdict-text.ts";
import { minuteOf } from "#src/report/when.ts";
import type { Block, Blocks } from "../blocks/block.ts";
import { actions, button } from "../blocks/elements.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { list, paragraph } from "../blocks/rich-text.ts";
import { header, section } from "../blocks/section.ts";
import { clusterRef } from "../commands/cluster-ref.ts";
import { aboutAudit, lines, scope, verdictLine, verdictText } from "./parts.ts";

/** One cluster: verdicts, what is known of it, findings, decisions. */
export function clusterMessage(standing: ClusterStanding, now: Date): SlackMessage {
  const { audit, verdicts } = standing;
  const worst =
    VERDICT_ORDER.find((word) => verdicts.some(({ verdict }) => verdict === word)) ?? "incomplete";
  const [next] = verdicts;
  return message({
    text: md`${audit.name}: ${verdictText(worst)}. Next: ${nextAction(audit)}`,
    overflow: "cut",
    where: `proxy-audit gate ${audit.name} --to VERSION`,
    blocks: [
      header(`${audit.name}: ${verdictText(worst)}`),
      ...(audit.reachable
        ? []
        : [section("This cluster gave no answer: nothing here says that it is fine, or that it is not.")]),
      section(md`*Next action:* ${nextAction(audit)}`),
      section(
        lines(
          ...verdicts.map((verdict) => md`*To ${verdict.target}:* ${verdictLine(verdict)}`),
          verdicts.length === 0 ? "It runs the newest version that verdicts are about." : null,
        ),
      ),
      paragraph(...factsOf(audit, now.toISOString())),
      ...findingLists(standing),
      ...decisions(standing),
      ...(next === undefined
        ? []
        : [
            actions([
              button({
                action: "run",
                text: `What blocks ${next.target}?`,
                value: `blockers ${clusterRef(audit.id)} ${next.target}`,
              }),
              button({ action: "run", text: "Audit again", value: `scan ${clusterRef(audit.id)}` }),
            ]),
          ]),
      aboutAudit(audit, now),
      scope(next?.assumptions),
    ],
  });
}

function findingLists({ audit }: ClusterStanding): Blocks<Block> {
  const groups = bySeverity(audit.findings).map(({ severity, findings }) => [
    section(md`*${SEVERITY_HEADINGS[severity]}* (${findings.length})`),
    list(
      findings.map((finding) => {
        const timing = timingText(finding);
        return [
          { text: finding.title, bold: true as const },
          ` (${finding.check}${timing === null ? "" : `; ${timing}`})`,
          ...(finding.fix === undefined ? [] : [` Next: ${finding.fix}`]),
        ];
      }),
      { what: "findings", where: "/proxy-audit blockers CLUSTER VERSION" },
    ),
  ]);
  const passed = passedChecks(audit);
  return [
    ...groups,
    ...(passed.length === 0 ? [] : [section(md`*Passed* (${passed.length}): ${passed.join(", ")}`)]),
  ];
}

function decisions({ waivers, approvals }: ClusterStanding): Blocks<Block> {
  return [
    ...(waivers.length === 0
      ? []
      : [
          [
            section("Waivers:"),
            list(
              waivers.map(
                ({ waiver, state, daysLeft }) =>
                  `${waiver.check}${waiver.accepts === "unknown" ? " (unknown accepted)" : ""}: ${state}, ${daysLeft < 0 ? "over" : `${counted(daysLeft, "day")} left`}; ${waiver.reason}`,
              ),
              { what: "waivers", where: "proxy-audit waivers" },
            ),
          ],
        ]),
    ...(approvals.length === 0
      ? []
      : [
          [
            section("Approvals:"),
            list(
              approvals.map(
                ({ approval, state }) =>
                  `to ${approval.target}: ${state}, until ${minuteOf(approval.expiresAt)}${approval.overrideReason === null ? "" : `; OVERRIDDEN: ${approval.overrideReason}`}`,
              ),
              { what: "approvals" },
            ),
          ],
        ]),
  ];
}
