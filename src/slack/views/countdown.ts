import type { CountdownView } from "#src/commands/countdown.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { counted } from "#src/report/text.ts";
import { minuteOf } from "#src/report/when.ts";
import { message, type SlackMessage } from "../blocks/message.ts";
import { md } from "../blocks/mrkdwn.ts";
import { list } from "../blocks/rich-text.ts";
import { context, fields, header, section } from "../blocks/section.ts";
import { some } from "./parts.ts";

/** How far away the two ends of ipvs are, and what that means for each cluster concerned. */
export function countdownMessage(view: CountdownView, now: Date): SlackMessage {
  const { team, countdown, affected, unknown, total, oldest } = view;
  const of = team === null ? "" : ` for team ${team}`;
  return message({
    text: md`ipvs off by default: ${countdown.to140.text}; removed: ${countdown.to143.text}`,
    overflow: "cut",
    where: "proxy-audit timeline",
    blocks: [
      header(`Countdown${of}`),
      ...fields([
        {
          label: "ipvs off by default",
          value: `${countdown.to140.text} (the change: ${countdown.to140.certainty})`,
        },
        {
          label: "ipvs removed",
          value: `${countdown.to143.text} (the change: ${countdown.to143.certainty})`,
        },
      ]),
      section(
        total === 0
          ? `No audited cluster${of}: nothing is known.`
          : md`*${affected.length} of ${counted(total, "cluster")}* ${affected.length === 1 ? "is" : "are"} broken by it as configured.`,
      ),
      ...(affected.length === 0
        ? []
        : [
            list(
              affected.map(({ audit, window }) => [
                { text: audit.name, bold: true as const },
                ` (${modeText(audit.dataPlane)}): ${window.text}`,
              ]),
              { what: "clusters", where: "proxy-audit fleet --at-risk" },
            ),
          ]),
      ...(unknown.length === 0
        ? []
        : [
            section(
              md`*Cannot be told* (${unknown.length}): ${some(unknown.map(({ name }) => name))}. They were not reached, or their mode is not known.`,
            ),
          ]),
      context(
        "Months are estimates by upstream's release rhythm; days stand only where upstream or a provider has published them.",
        oldest === null
          ? "No audits"
          : `The oldest audit is of ${minuteOf(oldest)}; as of ${minuteOf(now.toISOString())}`,
      ),
    ],
  });
}
