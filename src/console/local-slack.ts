import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { createLambdaApp } from "#src/slack/app.ts";
import { COMMAND } from "#src/slack/command-name.ts";
import { createIngress } from "#src/slack/ingress/handler.ts";
import type { LambdaEvent, LambdaResponse } from "#src/slack/ingress/lambda-event.ts";
import { storedReplays } from "#src/slack/ingress/replays.ts";
import type { SlackLog } from "#src/slack/log.ts";
import { memoryQueue } from "#src/slack/queue.ts";
import { createSlackServices, type SlackServices } from "#src/slack/services.ts";
import { slackSettingsSchema } from "#src/slack/settings.ts";
import { doWork } from "#src/slack/worker.ts";
import type { FindingStore } from "#src/store/store.ts";
import { blockActionsPayload, commandForm, viewSubmissionPayload } from "./slack-api/interactions.ts";
import { type FakeSlack, type FakeSlackOptions, startFakeSlack } from "./slack-api/server.ts";
import { interactionForm, signedRequest } from "./slack-api/signed-request.ts";
import type { StoredMessage, StoredView } from "./slack-api/workspace.ts";

export const LOCAL_SECRET = "a signing secret for loopback";
const ANN = { userId: "U0ANN", channel: "C0PAY", token: "xoxb-local-one" } as const;

export interface LocalSlackOptions {
  store: FindingStore;
  audit?: (clusterId: string) => Promise<ClusterAudit>;
  now?: () => Date;
  /** Laid over the settings below. */
  settings?: Readonly<Record<string, unknown>>;
  fake?: Partial<FakeSlackOptions>;
  answerWithinMs?: number;
  log?: SlackLog;
}

interface By {
  userId: string;
  channel: string;
  token: string;
}

export interface LocalSlack {
  slack: FakeSlack;
  services: SlackServices;
  /** Any event, as Lambda would deliver it. */
  ingress(event: LambdaEvent): Promise<LambdaResponse>;
  /** Types a command; what was acknowledged is shown in the channel. */
  say(text: string, by?: Partial<By>): Promise<LambdaResponse>;
  /** Uses a control of a message or of the home page. */
  press(
    at: StoredMessage | StoredView,
    action: Readonly<Record<string, unknown>> & { action_id: string },
    by?: Partial<By>,
  ): Promise<LambdaResponse>;
  /** Submits somebody's topmost dialog; returns the errors they see. */
  submit(
    values: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    by?: Partial<By>,
  ): Promise<Record<string, string>>;
  event(
    event: Readonly<Record<string, unknown>>,
    by?: Partial<By> & { eventId?: string },
  ): Promise<LambdaResponse>;
  /** Does what is queued; returns how much that was. */
  work(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The whole Slack front end against a workspace on loopback: the same ingress, app and worker as in AWS, driven by
 * signed requests. Ann asks, Ravi and Eve approve.
 */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const now = options.now ?? (() => new Date());
  const slack = await startFakeSlack({ ...WORKSPACE, now, ...options.fake });
  const settings = slackSettingsSchema.parse({ ...SETTINGS, ...options.settings });
  const log = options.log ?? (() => undefined);
  const queue = memoryQueue();
  const services = createSlackServices({
    settings,
    store: options.store,
    queue,
    audit: options.audit ?? null,
    now,
    log,
    fake: slack,
  });
  const ingress = createIngress({
    settings,
    secrets: [LOCAL_SECRET],
    replays: storedReplays(options.store),
    store: options.store,
    now,
    log,
    bolt: createLambdaApp({
      services,
      slackApiUrl: slack.apiUrl,
      ...(options.answerWithinMs === undefined ? {} : { answerWithinMs: options.answerWithinMs }),
    }),
  });
  const send = (body: string | Readonly<Record<string, string>>) => {
    const signed = signedRequest(body, LOCAL_SECRET, Math.floor(now().getTime() / 1000));
    // As function URLs deliver forms.
    return ingress({
      headers: signed.headers,
      body: Buffer.from(signed.body).toString("base64"),
      isBase64Encoded: true,
    });
  };
  return {
    slack,
    services,
    ingress,
    async say(text, by = {}) {
      const form = commandForm(slack, { ...ANN, ...by, command: COMMAND, text });
      const response = await send(form);
      if (response.statusCode === 200) show(slack, form.response_url ?? "", response.body);
      return response;
    },
    press: (at, action, by = {}) =>
      send(interactionForm(blockActionsPayload(slack, { ...ANN, ...by }, at, { block_id: "b", ...action }))),
    async submit(values, by = {}) {
      const who = { ...ANN, ...by };
      const view = slack.workspace.modals.get(who.userId)?.at(-1);
      if (view === undefined) throw new Error(`${who.userId} has no dialog open`);
      const named = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { [name]: value }]),
      );
      const response = await send(interactionForm(viewSubmissionPayload(slack, who, view, named)));
      if (response.statusCode !== 200) return { "": `HTTP ${response.statusCode}` };
      return slack.submitted(who, response.body === "" ? "" : JSON.parse(response.body));
    },
    event(event, { eventId = `Ev${slack.workspace.next()}`, ...by } = {}) {
      const owner = slack.workspace.tokens.get({ ...ANN, ...by }.token);
      return send(
        JSON.stringify({
          type: "event_callback",
          team_id: owner?.teamId,
          api_app_id: owner?.appId,
          event_id: eventId,
          event,
        }),
      );
    },
    async work() {
      let done = 0;
      for (let work = queue.take(); work !== undefined; work = queue.take()) {
        await doWork(services, work);
        done += 1;
      }
      return done;
    },
    close: () => slack.close(),
  };
}

function show(slack: FakeSlack, responseUrl: string, body: string): void {
  const problems = slack.acknowledged(responseUrl, body.startsWith("{") ? JSON.parse(body) : body);
  if (problems.length > 0) throw new Error(`Slack would not show the answer: ${problems.join("; ")}`);
}

const owner = { team: "Example", botId: "B0ONE", botUserId: "U0BOT", appId: "A0APP", teamId: "T0ONE" };

const WORKSPACE: FakeSlackOptions = {
  tokens: {
    "xoxb-local-one": owner,
    "xoxb-local-two": { ...owner, teamId: "T0TWO", botId: "B0TWO", botUserId: "U0BOT2" },
  },
  users: [
    { id: "U0BOT", name: "proxy-audit", isBot: true },
    { id: "U0ANN", name: "ann", realName: "Ann" },
    { id: "U0RAV", name: "ravi", realName: "Ravi" },
    { id: "U0EVE", name: "eve", realName: "Eve" },
  ],
  channels: [
    { id: "C0PAY", name: "team-payments" },
    { id: "C0SEA", name: "team-search" },
    { id: "C0OPS", name: "fleet-operations" },
    { id: "C0OLD", name: "archived", isArchived: true },
    { id: "C0OUT", name: "uninvited", hasBot: false },
    { id: "C0TWO", name: "elsewhere", teamId: "T0TWO" },
  ],
  usergroups: [{ id: "S0APP", handle: "approvers", users: ["U0RAV"] }],
};

const SETTINGS = {
  appIds: ["A0APP"],
  workspaces: [
    { teamId: "T0ONE", botToken: "xoxb-local-one", botId: "B0ONE", botUserId: "U0BOT" },
    { teamId: "T0TWO", botToken: "xoxb-local-two", botId: "B0TWO", botUserId: "U0BOT2" },
  ],
  roles: { member: "everyone", approver: { users: ["U0EVE"], usergroups: ["S0APP"] } },
  teams: { payments: { users: ["U0ANN"] } },
  operations: { teamId: "T0ONE", channel: "C0OPS" },
};
