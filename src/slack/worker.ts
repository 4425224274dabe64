import { runCommand } from "./commands/index.ts";
import type { SlackWork } from "./queue.ts";
import { respond } from "./respond.ts";
import type { SlackServices } from "./services.ts";

/** A `response_url` is good for thirty minutes (docs.slack.dev/interactivity/handling-user-interaction). */
const ANSWERABLE_MS = 30 * 60_000;

/**
 * Does what the ingress had no time for, and puts the answer where "queued" stands. The queue may deliver twice:
 * reading twice does no harm, and the second answer takes the place of the first.
 */
export async function doWork(services: SlackServices, work: SlackWork): Promise<void> {
  const now = services.now();
  if (now.getTime() - Date.parse(work.queuedAt) > ANSWERABLE_MS) {
    services.log({ code: "work-too-old", reference: work.id });
    return;
  }
  const { message } = await runCommand(
    {
      services,
      who: { teamId: work.teamId, userId: work.userId },
      channel: work.channel,
      now,
      patient: true,
      openModal: null,
      responseUrl: work.responseUrl,
    },
    work.text,
  );
  await respond(work.responseUrl, message, { allowed: services.responseUrls, replace: true });
}
