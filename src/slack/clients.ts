import { type Logger, LogLevel, WebClient, type WebClientOptions } from "@slack/web-api";
import { ProxyAuditError } from "#src/model/errors.ts";
import { type SlackSettings, workspaceOf } from "./settings.ts";

/** Where a `response_url` leads (docs.slack.dev/interactivity/handling-user-interaction). */
export const SLACK_RESPONSE_URLS = ["https://hooks.slack.com/"] as const;

/**
 * How every client of ours talks to Slack. The package's own defaults wait without end, try for half an hour and
 * send the token to any address that a method's name gives. No retries: a post whose answer was lost may have
 * been made. `headers` must never be passed: web-api 8.2 writes the token into that object, so that two clients
 * that share it share a token.
 */
export function clientOptions(apiUrl?: string): WebClientOptions {
  return {
    timeout: 2_500,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: SILENT,
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
  };
}

/** A client for each workspace, made once. Throws `slack` for a workspace that the app is not installed in. */
export function createClients(
  settings: Pick<SlackSettings, "workspaces">,
  apiUrl?: string,
): (teamId: string) => WebClient {
  const clients = new Map<string, WebClient>();
  return (teamId) => {
    const made = clients.get(teamId);
    if (made !== undefined) return made;
    const workspace = workspaceOf(settings, teamId);
    if (workspace === undefined) {
      throw new ProxyAuditError("slack", `The app is not installed in the workspace ${teamId}.`);
    }
    const client = new WebClient(workspace.botToken, clientOptions(apiUrl));
    clients.set(teamId, client);
    return client;
  };
}

const nothing = (): void => undefined;

/** Slack's packages log whole requests when asked to, and failed calls with what was sent. */
export const SILENT: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};
