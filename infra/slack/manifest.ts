import type { AppsManifestCreateArguments } from "@slack/web-api";
import { COMMAND } from "#src/slack/command-name.ts";

/** As @slack/web-api types what `apps.manifest.create` takes. */
export type SlackManifest = Exclude<AppsManifestCreateArguments["manifest"], string>;

/**
 * The app as Slack has to know it: paste it at api.slack.com/apps, "From a manifest". `requestUrl` is where the
 * ingress answers; null is for a machine without a public address, over Socket Mode.
 *
 * The fewest scopes: `commands` for the command, `chat:write` for requests, digests and their threads, in channels
 * that the app was invited to; `usergroups:read` only where roles are given to user groups.
 */
export function slackManifest(options: { requestUrl: string | null; usergroups: boolean }): SlackManifest {
  const url = options.requestUrl === null ? {} : { url: options.requestUrl };
  const requestUrl = options.requestUrl === null ? {} : { request_url: options.requestUrl };
  return {
    _metadata: { major_version: 2 },
    display_information: {
      name: "proxy-audit",
      description: "Which clusters the end of kube-proxy's ipvs mode will break, by when, and what to do",
      background_color: "#1d3557",
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: false },
      bot_user: { display_name: "proxy-audit", always_online: false },
      slash_commands: [
        {
          command: COMMAND,
          description: "What blocks an upgrade, and what to do about it",
          usage_hint: "blockers payments-prod-eu 1.40",
          // Names are looked up as they were typed: no mention or link is to be made of one.
          should_escape: false,
          ...url,
        },
      ],
    },
    oauth_config: {
      scopes: {
        bot: ["commands", "chat:write", ...(options.usergroups ? (["usergroups:read"] as const) : [])],
      },
    },
    settings: {
      event_subscriptions: { bot_events: ["app_home_opened"], ...requestUrl },
      interactivity: { is_enabled: true, ...requestUrl },
      org_deploy_enabled: false,
      socket_mode_enabled: options.requestUrl === null,
      token_rotation_enabled: false,
    },
  };
}
