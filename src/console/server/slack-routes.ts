import { z } from "zod";
import { digestOf } from "#src/commands/digest.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import { digestMessage } from "#src/slack/digest/message.ts";
import type { FindingStore } from "#src/store/store.ts";
import { problemText } from "../slack-api/problems.ts";
import { validateMessage, validateView } from "../slack-api/validate.ts";
import type { StoredMessage, StoredView } from "../slack-api/workspace.ts";
import { eventStream } from "./event-stream.ts";
import { parsed, type Route } from "./http.ts";
import type { SlackDesk, SlackEvent } from "./slack-desk.ts";

const by = { userId: z.string(), channel: z.string() };
const saySchema = z.object({ ...by, text: z.string().max(3_000) });
const pressSchema = z.object({
  ...by,
  at: z.union([z.object({ channel: z.string(), ts: z.string() }), z.object({ view: z.string() })]),
  action: z.looseObject({ type: z.string(), action_id: z.string(), block_id: z.string() }),
});
const submitSchema = z.object({
  userId: z.string(),
  values: z.record(z.string(), z.looseObject({ type: z.string() })),
});
const personSchema = z.object({ userId: z.string() });
const validateSchema = z.union([z.object({ message: z.looseObject({}) }), z.object({ view: z.unknown() })]);
const WEEK_MS = 7 * 86_400_000;

export interface DigestJson {
  text: string;
  blocks: unknown[];
  thread: unknown[][];
}

/** The Slack side's part of the API. `desk` is that of the fleet that is shown. */
export function slackRoutes(options: {
  desk: () => Promise<SlackDesk>;
  store: () => FindingStore;
  now: () => Date;
}): Route[] {
  const { desk } = options;
  const post = <T>(
    path: RegExp,
    schema: z.ZodType<T>,
    act: (desk: SlackDesk, body: T) => Promise<unknown>,
  ): Route => ({
    method: "POST",
    path,
    answer: async ({ body }) => ({ json: await act(await desk(), parsed(schema, body)) }),
  });
  return [
    {
      method: "GET",
      path: /^\/api\/slack$/,
      answer: async () => ({ json: await (await desk()).snapshot() }),
    },
    {
      method: "GET",
      path: /^\/api\/slack\/events$/,
      async answer({ closed }) {
        const opened = await desk();
        return eventStream(closed, (send) => {
          // What happened before now is not told: whoever watches reads the workspace after this.
          send({ type: "watching" } satisfies SlackEvent);
          return opened.watch(send);
        });
      },
    },
    post(/^\/api\/slack\/say$/, saySchema, async (opened, body) => ({ said: await opened.say(body) })),
    post(
      /^\/api\/slack\/press$/,
      pressSchema,
      async ({ local, workLater }, { at, action, userId, channel }) => {
        const place = placeOf(local, at, userId);
        const { statusCode } = await local.press(place, action, { userId, channel });
        workLater();
        return { problem: statusCode === 200 ? null : `The app answered HTTP ${statusCode}.` };
      },
    ),
    post(/^\/api\/slack\/submit$/, submitSchema, async ({ local }, { userId, values }) => ({
      errors: await local.submit(values, { userId }),
    })),
    post(/^\/api\/slack\/close$/, personSchema, async ({ local }, { userId }) => {
      local.slack.closeModal(userId);
      return {};
    }),
    post(/^\/api\/slack\/home$/, personSchema, async ({ local }, { userId }) => {
      const { statusCode } = await local.event({
        type: "app_home_opened",
        user: userId,
        tab: "home",
        channel: "D0",
      });
      return { problem: statusCode === 200 ? null : `The app answered HTTP ${statusCode}.` };
    }),
    {
      method: "POST",
      path: /^\/api\/slack\/validate$/,
      answer({ body }) {
        const given = parsed(validateSchema, body);
        const problems = "message" in given ? validateMessage(given.message) : validateView(given.view);
        return { json: { problems: problems.map(problemText) } };
      },
    },
    {
      method: "GET",
      path: /^\/api\/slack\/digest$/,
      async answer({ url }) {
        const team = url.searchParams.get("team") ?? "";
        const now = momentOf(url.searchParams.get("week"), options.now());
        // A preview counts nothing: the day's numbers are the hourly run's to store.
        const store = { ...options.store(), putRollup: async () => undefined };
        const view = await digestOf(store, team, now);
        const { text, blocks, thread } = digestMessage(view, { now, charts: false });
        return { json: { text, blocks, thread } satisfies DigestJson };
      },
    },
  ];
}

/** The end of the week that starts on a Monday (`2026-11-23`), or now where that week has not ended. */
function momentOf(monday: string | null, now: Date): Date {
  if (monday === null || monday === "") return now;
  const start = /^\d{4}-\d{2}-\d{2}$/.test(monday) ? Date.parse(monday) : Number.NaN;
  if (Number.isNaN(start)) throw new ProxyAuditError("usage", `"${monday}" is not a day like 2026-11-23.`);
  return new Date(Math.min(start + WEEK_MS - 1_000, now.getTime()));
}

function placeOf(
  { slack: { workspace } }: SlackDesk["local"],
  at: z.output<typeof pressSchema>["at"],
  userId: string,
): StoredMessage | StoredView {
  const found =
    "ts" in at
      ? workspace.messages.find((message) => message.channel === at.channel && message.ts === at.ts)
      : [workspace.homes.get(userId), ...(workspace.modals.get(userId) ?? [])].find(
          (view) => view?.id === at.view,
        );
  if (found === undefined) throw new ProxyAuditError("not-found", "this message or page is gone.");
  return found;
}
