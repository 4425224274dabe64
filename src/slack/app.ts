import { App, AwsLambdaReceiver, type Receiver } from "@slack/bolt";
import { clientOptions, SILENT } from "./clients.ts";
import type { VerifiedRequest } from "./ingress/handler.ts";
import type { LambdaResponse } from "./ingress/lambda-event.ts";
import { addListeners, type ListenerOptions } from "./listeners.ts";
import type { SlackServices } from "./services.ts";
import { workspaceOf } from "./settings.ts";

export interface SlackAppOptions extends ListenerOptions {
  services: SlackServices;
  /** Slack's own unless given. */
  slackApiUrl?: string | undefined;
}

/**
 * The app over any of Bolt's receivers: Lambda behind the ingress, HTTP or Socket Mode on one machine. Tokens come
 * from `authorize`, by the workspace of each request.
 */
export function createSlackApp(receiver: Receiver, options: SlackAppOptions): App {
  const { services, slackApiUrl } = options;
  const app = new App({
    receiver,
    authorize: async ({ teamId }) => {
      const workspace = workspaceOf(services.settings, teamId);
      if (workspace === undefined) throw new Error("the app is not installed in this workspace");
      const { botToken, botId, botUserId } = workspace;
      return { botToken, botId, botUserId };
    },
    clientOptions: clientOptions(slackApiUrl),
    convoStore: false,
    logger: SILENT,
  });
  app.error(async (error) => {
    services.log({ code: "bolt-failed", detail: error.code });
    // Bolt has acknowledged events by now; thrown again, it answers 500 and Slack sends the event again.
    throw error;
  });
  addListeners(app, options);
  return app;
}

/** The app as a function of a verified request, for the ingress to call. */
export function createLambdaApp(
  options: SlackAppOptions,
): (request: VerifiedRequest) => Promise<LambdaResponse> {
  // The ingress has verified the request on its raw bytes, which no longer exist here.
  const receiver = new AwsLambdaReceiver({
    signingSecret: "verified by the ingress",
    signatureVerification: false,
    logger: SILENT,
  });
  createSlackApp(receiver, options);
  const handler = receiver.toHandler();
  return async ({ headers, body }) => {
    const answer = await handler(
      {
        version: "2.0",
        routeKey: "$default",
        rawPath: "/slack/events",
        rawQueryString: "",
        headers,
        requestContext: {} as never,
        body,
        isBase64Encoded: false,
      },
      {},
    );
    return {
      statusCode: answer.statusCode,
      // Bolt says what went wrong; whoever asks is not told.
      body: answer.statusCode >= 400 ? "" : String(answer.body ?? ""),
      ...(answer.headers === undefined || answer.statusCode >= 400
        ? {}
        : { headers: answer.headers as Record<string, string> }),
    };
  };
}
