import { describe, expect, it } from "vitest";
import { blocksAsText } from "#src/console/message-text.ts";
import { control, demoAudits, type SlackUnderTest, slackUnderTest } from "./demo.ts";

const opened = (user: string, tab = "home") => ({ type: "app_home_opened", user, tab, channel: `D${user}` });

function page(app: SlackUnderTest, user: string): string {
  const view = app.slack.workspace.homes.get(user);
  return view === undefined ? "" : blocksAsText(view.view.blocks);
}

describe("the home page", () => {
  it("shows the countdown and the clusters of somebody's teams", async () => {
    const app = await slackUnderTest(await demoAudits());
    await app.event(opened("U0ANN"));
    const shown = page(app, "U0ANN");
    for (const part of [
      "# Leaving ipvs\n\n*ipvs off by default:* 1.40 is 3 releases away",
      "# Team payments\n\n*Coverage:* ",
      "• payments-prod-eu: ",
      "A verdict covers: kube-proxy",
      "As of 2026-11-30 10:00 UTC",
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).not.toContain("web-kubeadm");
  });

  it("lets somebody without a team choose one", async () => {
    const app = await slackUnderTest(await demoAudits());
    await app.event(opened("U0EVE"));
    const view = app.slack.workspace.homes.get("U0EVE");
    expect(page(app, "U0EVE")).toContain("You are in no team that is known here: choose one.");
    if (view === undefined) throw new Error("no page");
    const { statusCode } = await app.press(view, control(view.view.blocks, "data"), { userId: "U0EVE" });
    expect([statusCode, page(app, "U0EVE")]).toEqual([200, expect.stringContaining("# Team data\n")]);
  });

  it("shows nothing to who may not ask, and is not published for another tab", async () => {
    const roles = { member: { users: ["U0ANN"] }, approver: {} };
    const app = await slackUnderTest(await demoAudits(), { settings: { roles } });
    await app.event(opened("U0EVE"));
    await app.event(opened("U0ANN", "messages"));
    expect([page(app, "U0EVE"), page(app, "U0ANN")]).toEqual([
      "You are not among those who may ask here: ask whoever installed the app.",
      "",
    ]);
  });
});
