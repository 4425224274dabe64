import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { auditDemoFleet } from "#src/console/demo-store.ts";
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from "#src/console/local-slack.ts";
import { blocksAsText } from "#src/console/message-text.ts";
import type { StoredMessage } from "#src/console/slack-api/workspace.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { openSqliteStore } from "#src/store/sqlite.ts";
import type { FindingStore } from "#src/store/store.ts";

/** A Monday morning. */
export const NOW = new Date("2026-11-30T10:00:00Z");

let demo: Promise<ClusterAudit[]> | undefined;

/** The demo fleet's audits as of `NOW`, made once for all the tests of a file. */
export function demoAudits(): Promise<ClusterAudit[]> {
  demo ??= auditDemoFleet(null, { now: () => NOW });
  return demo;
}

export async function storeWith(audits: readonly ClusterAudit[]): Promise<FindingStore> {
  const store = await openSqliteStore(":memory:");
  for (const audit of audits) await store.putAudit(audit);
  onTestFinished(() => store.close());
  return store;
}

/** A store whose fleet takes that long to read. */
export function slow(store: FindingStore, ms: number): FindingStore {
  return {
    ...store,
    async *latestAll(filter) {
      await sleep(ms);
      yield* store.latestAll(filter);
    },
  };
}

export interface Clock {
  now: Date;
}

export interface SlackUnderTest extends LocalSlack {
  store: FindingStore;
  clock: Clock;
  logged: string[];
  /** The newest message, as its reader sees it. */
  last(): string;
  lastMessage(): StoredMessage;
  /** Calls of the Web API that Slack did not take. */
  refusals(): string[];
}

/** The whole front end over a store of these audits, on a clock that the test moves. */
export async function slackUnderTest(
  audits: readonly ClusterAudit[],
  options: Partial<LocalSlackOptions> = {},
): Promise<SlackUnderTest> {
  const store = options.store ?? (await storeWith(audits));
  const clock: Clock = { now: NOW };
  const logged: string[] = [];
  const local = await startLocalSlack({
    now: () => clock.now,
    log: ({ code, detail }) => logged.push(detail === undefined ? code : `${code}: ${detail}`),
    ...options,
    store,
  });
  onTestFinished(() => local.close());
  const lastMessage = () => {
    const message = local.slack.workspace.messages.at(-1);
    if (message === undefined) throw new Error("nothing was said");
    return message;
  };
  return {
    ...local,
    store,
    clock,
    logged,
    lastMessage,
    last: () => messageText(lastMessage()),
    refusals: () =>
      local.slack.calls
        .filter(({ answer }) => answer !== "ok")
        .map(({ method, answer }) => `${method}: ${answer}`),
  };
}

export function messageText({ blocks, text }: StoredMessage): string {
  return blocks.length === 0 ? text : blocksAsText(blocks);
}

/** The control of a message or view that has this label, as it is sent when it is used. */
export function control(
  blocks: readonly unknown[],
  label: string,
): { action_id: string; block_id: string; type: string; [key: string]: unknown } {
  for (const block of blocks as { block_id?: string; elements?: unknown[] }[]) {
    for (const element of (block.elements ?? []) as {
      type: string;
      action_id: string;
      value?: string;
      text?: { text: string };
      options?: { text: { text: string }; value: string }[];
    }[]) {
      const about = { type: element.type, action_id: element.action_id, block_id: block.block_id ?? "" };
      if (element.text?.text === label) return { ...about, value: element.value };
      const option = element.options?.find(({ text }) => text.text === label);
      if (option !== undefined) return { ...about, selected_option: option };
    }
  }
  throw new Error(`there is no control "${label}" here`);
}

export function typed(value: string) {
  return { type: "plain_text_input", value };
}

export function day(selected_date: string) {
  return { type: "datepicker", selected_date };
}
