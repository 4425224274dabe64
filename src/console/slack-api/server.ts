import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Method } from "./answer.ts";
import {
  faultAnswer,
  type HttpAnswer,
  httpAnswer,
  postLimiter,
  rateLimited,
  type SlackFault,
  slackFaults,
} from "./faults.ts";
import { CHAT_METHODS } from "./methods/chat.ts";
import { DIRECTORY_METHODS } from "./methods/directory.ts";
import { afterSubmission, closeViews, VIEW_METHODS } from "./methods/views.ts";
import { argumentsOf, bytesOf, jsonObject } from "./request-body.ts";
import { acknowledge, RESPONSE_URL_MS, respondTo } from "./response-url.ts";
import type {
  FakeChannel,
  FakeSlackEvent,
  FakeUser,
  FakeUsergroup,
  TokenOwner,
  Workspace,
} from "./workspace.ts";

const LOOPBACK = "127.0.0.1";
const TRIGGER_MS = 3_000;

export interface FakeSlackOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Bot tokens and the workspaces that they are for. */
  tokens: Readonly<Record<string, TokenOwner>>;
  users: readonly FakeUser[];
  channels: readonly FakeChannel[];
  usergroups?: readonly FakeUsergroup[];
  /** Block types that the workspace does not have yet: `data_table`. */
  missingBlocks?: readonly string[];
  /** Refuse more than about one message a second and channel, as Slack does. */
  limitPosts?: boolean;
  now?: () => Date;
}

interface LoggedCall {
  method: string;
  args: Readonly<Record<string, unknown>>;
  /** `ok`, or the error. */
  answer: string;
}

export interface FakeSlack {
  /** For `slackApiUrl` of a WebClient or an App. */
  apiUrl: string;
  /** What a `response_url` starts with. */
  url: string;
  workspace: Workspace;
  calls: readonly LoggedCall[];
  setFaults(faults: readonly SlackFault[]): void;
  /** A `trigger_id`, good for one view within three seconds. */
  newTrigger(userId: string): string;
  /** A `response_url` for a command or an interaction, good for five uses within thirty minutes. */
  newResponseUrl(about: { token: string; channel: string; userId: string; messageTs?: string }): string;
  /** Shows what an app answered to the request itself; returns why Slack would not show it. */
  acknowledged(responseUrl: string, body: unknown): string[];
  /** Shows what an app answered to the submission of a person's topmost modal; returns the errors they see. */
  submitted(about: { token: string; userId: string }, body: unknown): Record<string, string>;
  /** The person closes their topmost modal. */
  closeModal(userId: string): void;
  /** Returns what ends the subscription. */
  subscribe(listener: (event: FakeSlackEvent) => void): () => void;
  close(): Promise<void>;
}

const METHODS: Readonly<Record<string, Method>> = { ...CHAT_METHODS, ...DIRECTORY_METHODS, ...VIEW_METHODS };

/**
 * A Slack workspace on loopback: the Web API methods that the app uses, `response_url`, triggers, rate limits
 * and Slack's refusals, with everything in it to be read afterwards.
 *
 * @example
 * const slack = await startFakeSlack({ tokens: { "xoxb-1": owner }, users, channels });
 * const client = new WebClient("xoxb-1", { slackApiUrl: slack.apiUrl });
 */
export async function startFakeSlack(options: FakeSlackOptions): Promise<FakeSlack> {
  const now = options.now ?? (() => new Date());
  const listeners = new Set<(event: FakeSlackEvent) => void>();
  const calls: LoggedCall[] = [];
  const workspace = newWorkspace(options, (event) => {
    for (const listener of listeners) listener(event);
  });
  const secondsToWait = options.limitPosts === true ? postLimiter() : () => 0;
  let faults = slackFaults([]);

  function answerCall(name: string, args: Record<string, unknown>, token: string | undefined): HttpAnswer {
    const fault = faults.next(name);
    const log = (answer: string) => calls.push({ method: name, args, answer });
    if (fault !== undefined && fault.afterEffect !== true) {
      log(fault.error ?? `HTTP ${fault.retryAfterSeconds === undefined ? (fault.status ?? 500) : 429}`);
      return faultAnswer(fault);
    }
    const wait = name === "chat.postMessage" ? secondsToWait(String(args.channel), now()) : 0;
    if (wait > 0) {
      log("HTTP 429");
      return rateLimited(wait);
    }
    const answer = answerOf(name, args, token);
    log(answer.ok ? "ok" : answer.error);
    return fault === undefined ? httpAnswer(answer) : faultAnswer(fault);
  }

  function answerOf(name: string, args: Record<string, unknown>, token: string | undefined): Answer {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) return { ok: false, error: "unknown_method" };
    if (token === undefined) return { ok: false, error: "not_authed" };
    const caller = workspace.tokens.get(token);
    if (caller === undefined) return { ok: false, error: "invalid_auth" };
    return method(args, { workspace, caller, now: now() });
  }

  function ownerOf(token: string): TokenOwner {
    const owner = workspace.tokens.get(token);
    if (owner === undefined) throw new Error("no app is installed with this token");
    return owner;
  }

  async function respond(request: IncomingMessage): Promise<HttpAnswer> {
    const url = new URL(request.url ?? "/", `http://${LOOPBACK}`);
    const body = (await bytesOf(request)).toString("utf8");
    const [, kind, name = ""] = url.pathname.split("/");
    if (kind === "response" && request.method === "POST") {
      const answer = respondTo(workspace.responseTargets.get(name), jsonObject(body), {
        workspace,
        now: now(),
      });
      return { status: answer.status, headers: { "content-type": "text/plain" }, body: answer.body };
    }
    if (kind !== "api") return { status: 404, headers: {}, body: "" };
    const { token, ...args } = {
      ...Object.fromEntries(url.searchParams),
      ...argumentsOf(body, request.headers["content-type"]),
    } as Record<string, unknown>;
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    return answerCall(name, args, bearer ?? (typeof token === "string" ? token : undefined));
  }

  const server = createServer((request, response) => {
    respond(request).then(
      (answer) => write(response, answer),
      (error: unknown) => write(response, { status: 500, headers: {}, body: String(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, LOOPBACK, resolve);
  });
  const url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    apiUrl: `${url}/api/`,
    workspace,
    calls,
    setFaults(next) {
      faults = slackFaults(next);
    },
    newTrigger(userId) {
      const id = `${workspace.next()}.${workspace.next()}.trigger`;
      workspace.triggers.set(id, { userId, expiresAt: now().getTime() + TRIGGER_MS, used: false });
      return id;
    },
    newResponseUrl({ token, channel, userId, messageTs }) {
      const id = `r${workspace.next()}`;
      workspace.responseTargets.set(id, {
        channel,
        userId,
        owner: ownerOf(token),
        uses: 0,
        expiresAt: now().getTime() + RESPONSE_URL_MS,
        originalTs: messageTs ?? null,
      });
      return `${url}/response/${id}`;
    },
    acknowledged(responseUrl, body) {
      const target = workspace.responseTargets.get(responseUrl.split("/").at(-1) ?? "");
      if (target === undefined) throw new Error("an acknowledgement belongs to a response_url made here");
      return acknowledge(target, body, { workspace, now: now() });
    },
    submitted: ({ token, userId }, body) =>
      afterSubmission({ workspace, caller: ownerOf(token), now: now() }, userId, body),
    closeModal: (userId) => closeViews(workspace, userId, false),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newWorkspace(options: FakeSlackOptions, emit: Workspace["emit"]): Workspace {
  let count = 0;
  const [home] = Object.values(options.tokens);
  return {
    tokens: new Map(Object.entries(options.tokens)),
    users: new Map(options.users.map((user) => [user.id, user])),
    channels: new Map(
      options.channels.map((channel) => [
        channel.id,
        home === undefined ? channel : { teamId: home.teamId, ...channel },
      ]),
    ),
    usergroups: new Map((options.usergroups ?? []).map((usergroup) => [usergroup.id, usergroup])),
    messages: [],
    modals: new Map(),
    homes: new Map(),
    triggers: new Map(),
    responseTargets: new Map(),
    missingBlocks: new Set(options.missingBlocks),
    emit,
    next: () => {
      count += 1;
      return count;
    },
  };
}

function write(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
