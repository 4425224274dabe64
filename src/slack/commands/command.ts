import type { ModalView } from "@slack/types";
import type { SlackMessage } from "../blocks/message.ts";
import type { Who } from "../roles.ts";
import type { SlackServices } from "../services.ts";

/** What a command knows of who calls it and where. */
export interface CommandContext {
  services: SlackServices;
  who: Who;
  channel: string;
  now: Date;
  /** What was typed after the command's name. */
  rest: string;
  /** True in the worker, where nobody is kept waiting. */
  patient: boolean;
  /** Opens a dialog; null where there is nobody to open one for any more. */
  openModal: ((view: ModalView) => Promise<void>) | null;
  responseUrl: string;
}

/** An answer; `queue` is work to be done later, whose answer takes this one's place. */
export interface CommandAnswer {
  message: SlackMessage;
  queue?: string;
}

/** One command of `/proxy-audit`: what `help` says about it, and what it does. */
export interface SlackCommand {
  name: string;
  /** After the name. */
  usage: string;
  what: string;
  /** It posts, opens or stores something, so that it is never begun in the ingress and again in the worker. */
  acts?: true;
  run(context: CommandContext): Promise<CommandAnswer>;
}
