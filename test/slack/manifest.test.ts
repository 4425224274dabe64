import { describe, expect, it } from "vitest";
import { slackManifest } from "../../infra/slack/manifest.ts";

const URL = "https://slack.example.com/";

describe("the app's manifest", () => {
  it("asks for the fewest scopes: groups are read only where roles are given to groups", () => {
    const scopes = (usergroups: boolean) =>
      slackManifest({ requestUrl: URL, usergroups }).oauth_config?.scopes;
    expect([scopes(false), scopes(true)]).toEqual([
      { bot: ["commands", "chat:write"] },
      { bot: ["commands", "chat:write", "usergroups:read"] },
    ]);
  });

  it("sends the command, controls, dialogs and the home page to the ingress", () => {
    const { features, settings } = slackManifest({ requestUrl: URL, usergroups: false });
    expect([
      features?.slash_commands,
      settings?.interactivity,
      settings?.event_subscriptions,
      features?.app_home,
    ]).toEqual([
      [expect.objectContaining({ command: "/proxy-audit", url: URL, should_escape: false })],
      { is_enabled: true, request_url: URL },
      { bot_events: ["app_home_opened"], request_url: URL },
      { home_tab_enabled: true, messages_tab_enabled: false },
    ]);
  });

  it("needs no address over Socket Mode", () => {
    const manifest = slackManifest({ requestUrl: null, usergroups: false });
    expect([manifest.settings?.socket_mode_enabled, JSON.stringify(manifest).includes('url"')]).toEqual([
      true,
      false,
    ]);
  });

  it("stays within what Slack takes", () => {
    const { display_information: display, features } = slackManifest({ requestUrl: URL, usergroups: true });
    const [command] = features?.slash_commands ?? [];
    expect([
      display.name.length <= 35,
      (display.description?.length ?? 0) <= 140,
      (command?.command.length ?? 0) <= 32,
      (command?.description.length ?? 0) <= 2_000,
      (command?.usage_hint?.length ?? 0) <= 1_000,
    ]).toEqual([true, true, true, true, true]);
  });
});
