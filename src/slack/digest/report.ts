import { message } from "../blocks/message.ts";
import { list } from "../blocks/rich-text.ts";
import { section } from "../blocks/section.ts";
import { post } from "../post.ts";
import type { SlackServices } from "../services.ts";
import type { DigestOutcome } from "./send.ts";

const PROBLEMS: ReadonlySet<DigestOutcome["outcome"]> = new Set([
  "sent-without-thread",
  "maybe-sent",
  "waiting",
  "failed",
]);
const REPORTED_MS = 8 * 86_400_000;

/**
 * Says which digests were not sent, or may not have been: in the log each time, and in the operations channel
 * once for each digest and way it ended, not by the hour.
 */
export async function reportProblems(
  services: SlackServices,
  outcomes: readonly DigestOutcome[],
): Promise<void> {
  const problems = outcomes.filter(({ outcome }) => PROBLEMS.has(outcome));
  for (const { team, channel, isoWeek, outcome } of problems) {
    services.log({ code: "digest-not-sent", detail: `${team} ${channel} ${isoWeek} ${outcome}` });
  }
  const { operations } = services.settings;
  if (operations === null) return;
  const now = services.now();
  const fresh: DigestOutcome[] = [];
  for (const problem of problems) {
    const { team, channel, isoWeek, outcome } = problem;
    const first = await services.store.claimOnce(
      `digest-report/${JSON.stringify([team, channel, isoWeek, outcome])}`,
      {
        at: now.toISOString(),
        until: new Date(now.getTime() + REPORTED_MS).toISOString(),
      },
    );
    if (first) fresh.push(problem);
  }
  if (fresh.length === 0) return;
  const text = `${fresh.length} weekly digests were not sent as they should have been`;
  const reported = await post(services.clientOf(operations.teamId), {
    channel: operations.channel,
    message: message({
      text,
      blocks: [
        section(text),
        list(
          fresh.map(({ team, channel, isoWeek, outcome, detail }) => [
            { text: team, bold: true },
            ` in ${channel}, ${isoWeek}: ${outcome}. ${detail}`,
          ]),
        ),
      ],
    }),
  });
  if (reported.outcome !== "posted") services.log({ code: "report-not-posted", detail: reported.outcome });
}
