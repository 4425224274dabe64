import { digestOf } from "#src/commands/digest.ts";
import { rollUp } from "#src/commands/roll-up.ts";
import type { Subscription } from "#src/store/records.ts";
import { tellVoidedApprovals } from "../approvals/voided.ts";
import { post } from "../post.ts";
import { refusalText } from "../refusals.ts";
import type { SlackServices } from "../services.ts";
import { dueWeek } from "./due.ts";
import { digestMessage } from "./message.ts";
import { reportProblems } from "./report.ts";

/** How a digest ended. Only `waiting` is tried again by itself: it is known not to have been posted. */
export interface DigestOutcome {
  team: string;
  channel: string;
  isoWeek: string;
  outcome:
    | "sent"
    | "sent-without-thread"
    | "already-sent"
    | "being-sent"
    | "maybe-sent"
    | "waiting"
    | "failed";
  /** For people; empty where there is nothing to say. */
  detail: string;
}

/**
 * Sends every digest that is due, once: claim, post, confirm. What is known not to have been posted gives its
 * claim back and is tried by the next run; what may have been posted is reported, and sent again only by a person
 * who looked (`/proxy-audit digest TEAM release`). Run it by the hour; any number of runs may overlap.
 */
export async function sendDueDigests(services: SlackServices): Promise<DigestOutcome[]> {
  await tellVoidedApprovals(services);
  const rolledUp = rollUpOnce(services);
  const outcomes: DigestOutcome[] = [];
  for (const subscription of await services.store.subscriptions()) {
    const isoWeek = dueWeek(subscription, services.now());
    if (isoWeek === null) continue;
    outcomes.push(await sendOrTell(services, subscription, isoWeek, rolledUp));
  }
  await reportProblems(services, outcomes);
  return outcomes;
}

/** Today's numbers of the whole fleet, made when the first digest needs them. */
function rollUpOnce({ store, now }: SlackServices): () => Promise<void> {
  let made = false;
  return async () => {
    if (!made) await rollUp(store, { now: now(), waivers: await store.waivers() });
    made = true;
  };
}

/** One digest that fails does not keep the others from being sent. */
async function sendOrTell(
  services: SlackServices,
  subscription: Subscription,
  isoWeek: string,
  rolledUp: () => Promise<void>,
): Promise<DigestOutcome> {
  try {
    return await sendOne(services, subscription, isoWeek, rolledUp);
  } catch (error) {
    const { team, channel } = subscription;
    const detail = error instanceof Error ? error.message : String(error);
    return { team, channel, isoWeek, outcome: "maybe-sent", detail };
  }
}

async function sendOne(
  services: SlackServices,
  subscription: Subscription,
  isoWeek: string,
  rolledUp: () => Promise<void>,
): Promise<DigestOutcome> {
  const { team, channel } = subscription;
  const key = { team, channel, isoWeek };
  const ended = (outcome: DigestOutcome["outcome"], detail = ""): DigestOutcome => ({
    ...key,
    outcome,
    detail,
  });
  const { store } = services;
  const claim = await store.claimDigest(key, services.now().toISOString());
  if (claim === "sent") return ended("already-sent");
  if (claim === "already-claimed") return ended("being-sent");
  if (claim === "maybe-sent") {
    return ended(
      "maybe-sent",
      "A run that was to send it died before it said whether it had. Look, then /proxy-audit digest release.",
    );
  }
  const built = await builtDigest(services, subscription, rolledUp);
  if ("failure" in built) {
    await store.releaseDigest(key);
    return ended("failed", built.failure);
  }
  const result = await post(built.client, {
    channel,
    message: built.message,
    metadata: { event_type: "proxy_audit_digest", event_payload: { team, week: isoWeek } },
    // Ahead of the thread: from here on it is sent, whatever becomes of the details.
    onPosted: () => store.confirmDigest(key, services.now().toISOString()),
  });
  switch (result.outcome) {
    case "posted":
      return result.threadFailure === null
        ? ended("sent")
        : ended("sent-without-thread", `The details are missing: ${result.threadFailure}.`);
    case "rate-limited":
    case "refused":
      await store.releaseDigest(key);
      return ended("waiting", refusalText(result));
    case "unknown":
      return ended("maybe-sent", refusalText(result));
  }
}

/** Before anything is posted, so that what goes wrong here is known not to have been. */
async function builtDigest(
  services: SlackServices,
  { team, workspace }: Subscription,
  rolledUp: () => Promise<void>,
) {
  const { settings, store } = services;
  const [only, ...others] = settings.workspaces;
  const teamId = workspace ?? (others.length === 0 ? only?.teamId : undefined);
  if (teamId === undefined) return { failure: "The subscription names no workspace: subscribe again." };
  try {
    await rolledUp();
    const now = services.now();
    const view = await digestOf(store, team, now, { rolledUp: true });
    return {
      client: services.clientOf(teamId),
      message: digestMessage(view, { now, charts: settings.charts }),
    };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
