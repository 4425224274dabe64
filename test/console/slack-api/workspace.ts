import { type Logger, LogLevel, WebClient } from "@slack/web-api";
import { onTestFinished } from "vitest";
import { type FakeSlack, type FakeSlackOptions, startFakeSlack } from "#src/console/slack-api/server.ts";

export const TOKEN = "xoxb-one";
export const OTHER_TOKEN = "xoxb-two";

const owner = { teamId: "T1", team: "Example", botId: "B1", botUserId: "U0BOT", appId: "A1" };

/** A workspace of one team's channel, and what a test may do with it; ended with the test. */
export async function fakeWorkspace(options: Partial<FakeSlackOptions> = {}): Promise<FakeSlack> {
  const slack = await startFakeSlack({
    tokens: { [TOKEN]: owner, [OTHER_TOKEN]: { ...owner, teamId: "T2", botId: "B2", botUserId: "U0OTHER" } },
    users: [
      { id: "U0BOT", name: "proxy-audit", isBot: true },
      { id: "U0ANN", name: "ann", realName: "Ann" },
    ],
    channels: [
      { id: "C0PAY", name: "team-payments" },
      { id: "C0OLD", name: "old", isArchived: true },
      { id: "C0OUT", name: "uninvited", hasBot: false },
      { id: "C0TWO", name: "elsewhere", teamId: "T2" },
    ],
    usergroups: [{ id: "S0APP", handle: "approvers", users: ["U0ANN"] }],
    ...options,
  });
  onTestFinished(() => slack.close());
  return slack;
}

/** The real client, as the app sets it up: no retries of its own, no waiting. */
export function clientOf(slack: FakeSlack, token = TOKEN): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
  });
}

const nothing = (): void => undefined;
const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};

/** The error code that a call was refused with, and Slack's explanation. */
export async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await call };
  } catch (error) {
    const { data, retryAfter } = error as {
      data?: { error: string; response_metadata?: { messages?: string[] } };
      retryAfter?: number;
    };
    if (retryAfter !== undefined) return { retryAfter };
    if (data === undefined) throw error;
    const messages = data.response_metadata?.messages;
    return messages === undefined ? data.error : { error: data.error, messages };
  }
}
