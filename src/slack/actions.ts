import type { ModalView } from "@slack/types";
import { answerInTime } from "./answering.ts";
import { approveRequest, rejectRequest } from "./approvals/decide.ts";
import { openRequest } from "./approvals/standing.ts";
import type { SlackMessage } from "./blocks/message.ts";
import { acceptUnknownView } from "./dialogs/accept-unknown.ts";
import { overrideView } from "./dialogs/override.ts";
import { publishHome } from "./home.ts";
import type { Who } from "./roles.ts";
import type { SlackServices } from "./services.ts";
import { ACCEPT_UNKNOWN, APPROVE, OVERRIDE, REJECT } from "./views/approval.ts";
import { CHOOSE_TEAM } from "./views/home.ts";

/** A button or menu that somebody used. */
export interface ActionContext {
  services: SlackServices;
  who: Who;
  channel: string;
  /** Of the button, or of what was chosen. */
  value: string;
  chosen: boolean;
  responseUrl: string;
  answerWithinMs: number;
  openModal(view: ModalView): Promise<void>;
}

/** What the person is answered; null where the message itself shows what came of it. */
export type ActionAnswer = { message: SlackMessage; replace: boolean } | null;

/** By the action's name. Each checks for itself what the person may do. */
export const ACTIONS: Readonly<Record<string, (context: ActionContext) => Promise<ActionAnswer>>> = {
  run,
  [APPROVE]: async ({ services, who, value }) => {
    await approveRequest(services, who, value, null);
    return null;
  },
  [REJECT]: async ({ services, who, value }) => {
    await rejectRequest(services, who, value);
    return null;
  },
  [OVERRIDE]: async ({ services, who, value, openModal }) => {
    await openModal(overrideView(await openRequest(services, who, value)));
    return null;
  },
  [ACCEPT_UNKNOWN]: async ({ services, who, value, openModal }) => {
    const [id = "", check = ""] = value.split(" ");
    await openModal(acceptUnknownView(await openRequest(services, who, id), check, services.now()));
    return null;
  },
  [CHOOSE_TEAM]: async ({ services, who, value }) => {
    await publishHome(services, who, value);
    return null;
  },
};

/** A command behind a button or in a menu: the same as typed. */
async function run({ services, who, channel, value, chosen, responseUrl, ...context }: ActionContext) {
  const { message, queue } = await answerInTime(
    {
      services,
      who,
      channel,
      now: services.now(),
      openModal: context.openModal,
      responseUrl,
    },
    value,
    context.answerWithinMs,
  );
  // A menu has served its purpose; and what the worker answers takes the place of what the person pressed.
  return { message, replace: chosen || queue !== undefined };
}
