import type { App, ViewResponseAction } from "@slack/bolt";
import type { ModalView } from "@slack/types";
import { z } from "zod";
import { ACTIONS } from "./actions.ts";
import { answerInTime } from "./answering.ts";
import { actionOf } from "./blocks/elements.ts";
import { tableAsText } from "./blocks/fallback.ts";
import type { SlackMessage } from "./blocks/message.ts";
import { section } from "./blocks/section.ts";
import { modal } from "./blocks/view.ts";
import { COMMAND } from "./command-name.ts";
import { failureMessage } from "./commands/index.ts";
import { acceptUnknownDialog } from "./dialogs/accept-unknown.ts";
import { type Dialog, submittedValues } from "./dialogs/dialog.ts";
import { overrideDialog } from "./dialogs/override.ts";
import { waiveDialog } from "./dialogs/waive.ts";
import { publishHome } from "./home.ts";
import { respond } from "./respond.ts";
import type { SlackServices } from "./services.ts";

/** Slack waits three seconds in all; what the request still has to do after the answer needs some of it. */
const ANSWER_WITHIN_MS = 1_800;

export interface ListenerOptions {
  services: SlackServices;
  /** How long a person waits for an answer before it is left to the worker. */
  answerWithinMs?: number | undefined;
}

/** Every command, control, dialog and event that Slack sends, each handed on to the code that knows about it. */
export function addListeners(app: App, options: ListenerOptions): void {
  addCommand(app, options);
  addActions(app, options);
  for (const dialog of [waiveDialog, overrideDialog, acceptUnknownDialog]) addDialog(app, options, dialog);
  app.event("app_home_opened", async ({ event, context }) => {
    if (event.tab !== "home" || context.teamId === undefined) return;
    await publishHome(options.services, { teamId: context.teamId, userId: event.user }, null);
  });
}

function addCommand(app: App, { services, answerWithinMs = ANSWER_WITHIN_MS }: ListenerOptions): void {
  app.command(COMMAND, async ({ ack, command, client }) => {
    const { message } = await answerInTime(
      {
        services,
        who: { teamId: command.team_id, userId: command.user_id },
        channel: command.channel_id,
        now: services.now(),
        openModal: async (view) => {
          await client.views.open({ trigger_id: command.trigger_id, view });
        },
        responseUrl: command.response_url,
      },
      command.text,
      answerWithinMs,
    );
    await ack({ response_type: "ephemeral", ...acknowledgement(message, services) });
  });
}

/** Nobody is told when Slack refuses an acknowledgement, so tables can be left out of them. */
function acknowledgement({ text, blocks }: SlackMessage, { settings }: SlackServices) {
  return { text, blocks: settings.answerTables === "text" ? blocks.map(tableAsText) : blocks };
}

const actionSchema = z.object({
  action_id: z.string(),
  value: z.string().optional(),
  selected_option: z.object({ value: z.string() }).nullish(),
});

function addActions(app: App, { services, answerWithinMs = ANSWER_WITHIN_MS }: ListenerOptions): void {
  app.action({ type: "block_actions" }, async ({ ack, body, action, client }) => {
    await ack();
    const { action_id, value, selected_option } = actionSchema.parse(action);
    const act = ACTIONS[actionOf(action_id)];
    const responseUrl = body.response_url ?? "";
    const teamId = body.team?.id;
    if (act === undefined || teamId === undefined) return;
    const answer = await act({
      services,
      who: { teamId, userId: body.user.id },
      channel: body.channel?.id ?? "",
      value: selected_option?.value ?? value ?? "",
      chosen: selected_option !== undefined && selected_option !== null,
      responseUrl,
      answerWithinMs,
      openModal: async (view: ModalView) => {
        await client.views.open({ trigger_id: body.trigger_id, view });
      },
    }).catch((error: unknown) => ({ message: failureMessage(error, services), replace: false }));
    // On the home page there is no message to answer below.
    if (answer === null || responseUrl === "") return;
    await respond(responseUrl, answer.message, { allowed: services.responseUrls, replace: answer.replace });
  });
}

function addDialog(app: App, { services }: ListenerOptions, dialog: Dialog): void {
  app.view(dialog.callback, async ({ ack, body, view }) => {
    const teamId = body.team?.id;
    if (teamId === undefined) return;
    const result = await dialog.submit({
      services,
      who: { teamId, userId: body.user.id },
      metadata: view.private_metadata,
      values: submittedValues(view.state),
    });
    const response: ViewResponseAction =
      "errors" in result
        ? { response_action: "errors", errors: result.errors }
        : {
            response_action: "update",
            view: modal({
              title: "Done",
              close: "Close",
              callback: "done",
              blocks: [section(result.done)],
            }),
          };
    await ack(response);
  });
}
