import type { FleetView } from "#src/commands/fleet.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { coverageText } from "#src/report/digest.ts";
import { nextActionInShort } from "#src/report/next-action.ts";
import { counted, listed } from "#src/report/text.ts";
import { MILESTONES } from "#src/verdict/targets.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { header, section } from "../blocks/section.ts";
import { table } from "../blocks/table.ts";
import { aboutAudits, lines, scope, verdictText } from "./parts.ts";

const NO_AUDITS = "No clusters have been audited yet: nothing is known, which is not the same as fine.";

/** The fleet, worst first. `what` says which part of it. */
export function fleetMessage(view: FleetView, what: string, now: Date): SlackMessage {
  const { rows, total, byMode, countdown } = view;
  if (total === 0) {
    const text = what === "" ? NO_AUDITS : `No audited cluster fits${what}.`;
    return message({ text, blocks: [section(text)], overflow: "cut" });
  }
  const coverage = coverageText(view);
  const modes = listed(byMode.map(({ mode, count }) => `${count} ${mode}`));
  return message({
    text: `Fleet${what}: ${coverage}`,
    overflow: "cut",
    where: "proxy-audit fleet",
    blocks: [
      header(`Fleet${what}: ${counted(total, "cluster")}`),
      section(
        lines(
          md`*Coverage:* ${coverage}`,
          md`*Modes:* ${modes}`,
          md`*ipvs off by default:* ${countdown.to140.text}`,
          md`*ipvs removed:* ${countdown.to143.text}`,
        ),
      ),
      ...(rows.length === 0
        ? [section("None of them is at risk, as far as it is known.")]
        : [
            table({
              what: "clusters",
              where: "proxy-audit fleet, or name a team: /proxy-audit fleet team=NAME",
              columns: [
                { title: "Cluster" },
                { title: "Team" },
                { title: "Version" },
                { title: "Mode" },
                ...MILESTONES.map((target) => ({ title: `To ${target}` })),
                { title: "Next action" },
              ],
              rows: rows.map(({ audit, verdicts, stale }) => [
                stale ? `${audit.name} (stale)` : audit.name,
                audit.team ?? "-",
                audit.kubernetesVersion ?? "?",
                modeText(audit.dataPlane),
                ...MILESTONES.map((target) => {
                  const word = verdicts[target];
                  return word === undefined ? "already there" : verdictText(word);
                }),
                nextActionInShort(audit),
              ]),
            }),
          ]),
      aboutAudits(
        rows.map((row) => row.audit),
        now,
      ),
      scope(),
    ],
  });
}
