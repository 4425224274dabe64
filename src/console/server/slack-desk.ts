import { CHECKS } from "#src/checks/index.ts";
import { scanClusters } from "#src/commands/scan.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { COMMANDS } from "#src/slack/commands/index.ts";
import { type LocalSlack, startLocalSlack } from "../local-slack.ts";
import { type FakeSlackEvent, newTs, type StoredMessage, type StoredView } from "../slack-api/workspace.ts";
import type { ConsoleFleet } from "./console-fleet.ts";
import { CONSOLE_WORKSPACE, PEOPLE_SETTINGS } from "./slack-workspace.ts";

/** A command that somebody typed: Slack shows it to nobody else, the page shows it to them. */
export interface Said {
  ts: string;
  userId: string;
  channel: string;
  text: string;
  /** How long the app took to acknowledge it. Slack waits 3,000. */
  ms: number;
  /** What Slack would have shown in place of an answer. */
  problem: string | null;
}

export type SlackEvent = FakeSlackEvent | { type: "said"; said: Said } | { type: "watching" };

export interface Person {
  id: string;
  name: string;
  roles: string[];
  teams: string[];
}

export interface SlackJson {
  people: Person[];
  channels: { id: string; name: string }[];
  usergroups: { id: string; handle: string }[];
  messages: StoredMessage[];
  said: Said[];
  /** By person, the topmost last. */
  modals: Record<string, StoredView[]>;
  homes: Record<string, StoredView>;
  commands: { name: string; usage: string; what: string }[];
  clusters: string[];
  teams: string[];
  checks: string[];
}

/** The Slack front end of one fleet: the app as it runs in AWS, in a workspace on loopback. */
export interface SlackDesk {
  local: LocalSlack;
  snapshot(): Promise<SlackJson>;
  say(about: { userId: string; channel: string; text: string }): Promise<Said>;
  /** Past nothing: only what comes from now on. Returns what ends the watching. */
  watch(listener: (event: SlackEvent) => void): () => void;
  /** Lets the worker answer what is queued, behind whoever asked. */
  workLater(): void;
  close(): Promise<void>;
}

const SCAN = { targets: [], concurrency: 1, timeoutMs: 60_000, logs: 3 } as const;

export async function openSlackDesk(
  fleet: ConsoleFleet,
  options: { now: () => Date; log: (text: string) => void },
): Promise<SlackDesk> {
  const { now } = options;
  const log = ({ code, detail = "" }: { code: string; detail?: string | undefined }) =>
    options.log(`slack: ${code} ${detail}\n`);
  const local = await startLocalSlack({
    store: fleet.store,
    now,
    audit: (clusterId) => auditOne(fleet, clusterId, now),
    fake: CONSOLE_WORKSPACE,
    settings: PEOPLE_SETTINGS,
    log,
  });
  const { slack, services } = local;
  const said: Said[] = [];
  const listeners = new Set<(event: SlackEvent) => void>();
  const tell = (event: SlackEvent) => {
    for (const listener of listeners) listener(event);
  };
  slack.subscribe(tell);

  function workLater(): void {
    local.work().catch((error: unknown) => log({ code: "work-failed", detail: String(error) }));
  }

  return {
    local,
    workLater,
    async snapshot() {
      const audits = await Array.fromAsync(fleet.store.latestAll());
      const { workspace } = slack;
      const [token = ""] = workspace.tokens.keys();
      const { teamId = "" } = workspace.tokens.get(token) ?? {};
      const people = [...workspace.users.values()].filter(({ isBot }) => isBot !== true);
      return {
        people: await Promise.all(
          people.map(async ({ id, name, realName }) => {
            const who = { teamId, userId: id };
            const approver = await services.roles.has(who, "approver");
            return {
              id,
              name: realName ?? name,
              roles: approver ? ["approver"] : ["member"],
              teams: await services.roles.teamsOf(who),
            };
          }),
        ),
        channels: [...workspace.channels.values()].map(({ id, name }) => ({ id, name })),
        usergroups: [...workspace.usergroups.values()].map(({ id, handle }) => ({ id, handle })),
        messages: [...workspace.messages],
        said: [...said],
        modals: Object.fromEntries(workspace.modals),
        homes: Object.fromEntries(workspace.homes),
        commands: COMMANDS.map(({ name, usage, what }) => ({ name, usage, what })),
        clusters: audits.map((audit) => audit.name).toSorted(),
        teams: [...new Set(audits.flatMap(({ team }) => team ?? []))].toSorted(),
        checks: CHECKS.map(({ id }) => id),
      };
    },
    async say({ userId, channel, text }) {
      const ts = newTs(slack.workspace, now());
      const startedAt = performance.now();
      const problem = await problemOf(() => local.say(text, { userId, channel }));
      const entry = { ts, userId, channel, text, ms: Math.round(performance.now() - startedAt), problem };
      said.push(entry);
      tell({ type: "said", said: entry });
      workLater();
      return entry;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => local.close(),
  };
}

/** Slack's own words for what it cannot deliver or show. */
async function problemOf(send: () => Promise<{ statusCode: number }>): Promise<string | null> {
  try {
    const { statusCode } = await send();
    return statusCode === 200
      ? null
      : `/proxy-audit failed with the error "dispatch_failed" (HTTP ${statusCode})`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function auditOne(fleet: ConsoleFleet, clusterId: string, now: () => Date): Promise<ClusterAudit> {
  const lists = await Promise.allSettled(fleet.sources.map((source) => source.clusters()));
  const cluster = lists
    .flatMap((list) => (list.status === "fulfilled" ? list.value : []))
    .find(({ id }) => id === clusterId);
  const [audit] =
    cluster === undefined
      ? []
      : (await scanClusters([cluster], { ...SCAN, now, store: fleet.store })).clusters;
  if (audit !== undefined) return audit;
  throw new ProxyAuditError("not-found", `${clusterId} cannot be reached from this console.`, {
    cluster: clusterId,
  });
}
