import { answeredView } from "./methods/views.ts";
import type { FakeSlack } from "./server.ts";
import type { StoredMessage, StoredView, TokenOwner } from "./workspace.ts";

// The payloads of docs.slack.dev/interactivity as Slack sends them, with a fresh trigger and response_url each.

interface By {
  /** The installed app that is spoken to. */
  token: string;
  userId: string;
  channel: string;
}

/** The form of a slash command (docs.slack.dev/interactivity/implementing-slash-commands). */
export function commandForm(
  slack: FakeSlack,
  by: By & { command: string; text: string },
): Record<string, string> {
  const owner = ownerOf(slack, by);
  return {
    token: "deprecated",
    team_id: owner.teamId,
    team_domain: "example",
    channel_id: by.channel,
    channel_name: slack.workspace.channels.get(by.channel)?.name ?? "privategroup",
    user_id: by.userId,
    user_name: slack.workspace.users.get(by.userId)?.name ?? by.userId,
    command: by.command,
    text: by.text,
    api_app_id: owner.appId,
    is_enterprise_install: "false",
    response_url: slack.newResponseUrl(by),
    trigger_id: slack.newTrigger(by.userId),
  };
}

/** A control of a message or of the home page was used. `action` is the control, with what was chosen. */
export function blockActionsPayload(
  slack: FakeSlack,
  by: By,
  at: StoredMessage | StoredView,
  action: Readonly<Record<string, unknown>> & { action_id: string; block_id: string },
): Record<string, unknown> {
  const inMessage = "ts" in at;
  return {
    type: "block_actions",
    ...commonFields(slack, by),
    actions: [{ ...action, action_ts: `${slack.workspace.next()}.000000` }],
    ...(inMessage
      ? {
          container: {
            type: "message",
            message_ts: at.ts,
            channel_id: at.channel,
            is_ephemeral: at.onlyFor !== null,
          },
          channel: { id: at.channel, name: slack.workspace.channels.get(at.channel)?.name ?? "" },
          message: { type: "message", user: at.user, ts: at.ts, text: at.text, blocks: at.blocks },
          response_url: slack.newResponseUrl({ ...by, channel: at.channel, messageTs: at.ts }),
        }
      : { container: { type: "view", view_id: at.id }, view: answeredView(at) }),
  };
}

/** A modal was submitted with these values, by `block_id` and `action_id`. */
export function viewSubmissionPayload(
  slack: FakeSlack,
  by: Omit<By, "channel">,
  view: StoredView,
  values: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Record<string, unknown> {
  return {
    type: "view_submission",
    ...commonFields(slack, by),
    view: { ...answeredView(view), state: { values } },
    response_urls: [],
  };
}

function commonFields(slack: FakeSlack, by: Omit<By, "channel">): Record<string, unknown> {
  const owner = ownerOf(slack, by);
  return {
    user: {
      id: by.userId,
      username: slack.workspace.users.get(by.userId)?.name ?? by.userId,
      team_id: owner.teamId,
    },
    team: { id: owner.teamId, domain: "example" },
    api_app_id: owner.appId,
    token: "deprecated",
    trigger_id: slack.newTrigger(by.userId),
    enterprise: null,
    is_enterprise_install: false,
  };
}

function ownerOf(slack: FakeSlack, { token }: { token: string }): TokenOwner {
  const owner = slack.workspace.tokens.get(token);
  if (owner === undefined) throw new Error("no app is installed with this token");
  return owner;
}
