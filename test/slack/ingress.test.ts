import { describe, expect, it } from "vitest";
import { LOCAL_SECRET } from "#src/console/local-slack.ts";
import { commandForm } from "#src/console/slack-api/interactions.ts";
import { signedRequest } from "#src/console/slack-api/signed-request.ts";
import type { LambdaEvent } from "#src/slack/ingress/lambda-event.ts";
import { memoryReplays, type Replays, storedReplays } from "#src/slack/ingress/replays.ts";
import { verifySlackRequest } from "#src/slack/ingress/verify.ts";
import { audit } from "../model/audits.ts";
import { NOW, type SlackUnderTest, slackUnderTest, storeWith } from "./demo.ts";

const SECONDS = Math.floor(NOW.getTime() / 1000);
const AUDITS = [audit({ id: "demo:payments", name: "payments", auditedAt: NOW.toISOString() })];
const ANN = { token: "xoxb-local-one", userId: "U0ANN", channel: "C0PAY" };

function form(app: SlackUnderTest, text = "fleet", change: Record<string, string> = {}) {
  return { ...commandForm(app.slack, { ...ANN, command: "/proxy-audit", text }), ...change };
}

function plain({ body, headers }: { body: string; headers: Readonly<Record<string, string>> }): LambdaEvent {
  return { body, headers: { ...headers }, isBase64Encoded: false };
}

/** What a refused request has done: nothing anywhere. */
function traces(app: SlackUnderTest) {
  return { messages: app.slack.workspace.messages.length, calls: app.slack.calls.length };
}

describe("requests that are refused", () => {
  const signed = (app: SlackUnderTest, at = SECONDS, secret = LOCAL_SECRET) =>
    signedRequest(form(app), secret, at);
  const cases: [string, number, string, (app: SlackUnderTest) => LambdaEvent][] = [
    ["forged", 401, "signature", (app) => plain(signed(app, SECONDS, "another secret"))],
    ["stale by a second", 401, "skew", (app) => plain(signed(app, SECONDS - 301))],
    ["from the future", 401, "skew", (app) => plain(signed(app, SECONDS + 301))],
    [
      "unsigned",
      401,
      "unsigned",
      (app) => plain({ ...signed(app), headers: { "content-type": "application/x-www-form-urlencoded" } }),
    ],
    [
      "with a timestamp that is no number",
      401,
      "unsigned",
      (app) =>
        plain({ ...signed(app), headers: { ...signed(app).headers, "x-slack-request-timestamp": "now" } }),
    ],
    [
      "with a signature of another length",
      401,
      "signature",
      (app) => plain({ ...signed(app), headers: { ...signed(app).headers, "x-slack-signature": "v0=00" } }),
    ],
    [
      "changed by one character",
      401,
      "signature",
      (app) => plain({ ...signed(app), body: `${signed(app).body}x` }),
    ],
    [
      "oversized",
      400,
      "too-large",
      (app) => plain(signedRequest(form(app, "x".repeat(1024 * 1024)), LOCAL_SECRET, SECONDS)),
    ],
    [
      "oversized beyond decoding",
      400,
      "too-large",
      () => ({ headers: {}, body: "A".repeat(2 * 1024 * 1024), isBase64Encoded: true }),
    ],
    [
      "neither form nor JSON",
      400,
      "content-type",
      (app) => plain({ ...signed(app), headers: { ...signed(app).headers, "content-type": "text/plain" } }),
    ],
    ["without headers", 400, "content-type", () => ({ body: "payload={" })],
    ["empty", 400, "content-type", () => ({})],
    ["of another shape", 400, "malformed", () => ({ headers: 7 }) as unknown as LambdaEvent],
    ["signed garbage", 400, "not-slack", () => plain(signedRequest("{", LOCAL_SECRET, SECONDS))],
    [
      "signed and of nobody",
      400,
      "not-slack",
      () => plain(signedRequest({ text: "x" }, LOCAL_SECRET, SECONDS)),
    ],
    [
      "of another workspace",
      401,
      "not-allowed",
      (app) => plain(signedRequest(form(app, "fleet", { team_id: "T0OTHER" }), LOCAL_SECRET, SECONDS)),
    ],
    [
      "of another app",
      401,
      "not-allowed",
      (app) => plain(signedRequest(form(app, "fleet", { api_app_id: "A0OTHER" }), LOCAL_SECRET, SECONDS)),
    ],
    [
      "of somebody from another workspace",
      401,
      "not-allowed",
      () =>
        plain(
          signedRequest(
            {
              payload: JSON.stringify({
                type: "block_actions",
                team: { id: "T0ONE" },
                user: { id: "U0STR", team_id: "T0STRANGE" },
                api_app_id: "A0APP",
              }),
            },
            LOCAL_SECRET,
            SECONDS,
          ),
        ),
    ],
  ];

  it.each(cases)("%s: %i, an empty body, and nothing done", async (_, status, reason, event) => {
    const app = await slackUnderTest(AUDITS);
    expect(await app.ingress(event(app))).toEqual({ statusCode: status, body: "" });
    expect([app.logged, traces(app)]).toEqual([[`request-refused: ${reason}`], { messages: 0, calls: 0 }]);
  });

  it("replayed: the second time, even of two at once", async () => {
    const app = await slackUnderTest(AUDITS);
    const event = plain(signed(app));
    const answers = await Promise.all([app.ingress(event), app.ingress(event)]);
    const later = await app.ingress(event);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
    expect(later).toEqual({ statusCode: 401, body: "" });
  });

  it("of an organisation that the workspace does not belong to", async () => {
    const workspaces = [
      { teamId: "T0ONE", enterpriseId: "E0ORG", botToken: "xoxb-local-one", botId: "B1", botUserId: "U1" },
    ];
    const app = await slackUnderTest(AUDITS, { settings: { workspaces } });
    const ask = (enterprise: Record<string, string>) =>
      app.ingress(plain(signedRequest(form(app, "fleet", enterprise), LOCAL_SECRET, SECONDS)));
    expect([
      (await ask({})).statusCode,
      (await ask({ enterprise_id: "E0OTHER" })).statusCode,
      (await ask({ enterprise_id: "E0ORG" })).statusCode,
    ]).toEqual([401, 401, 200]);
  });
});

describe("a store that does not answer", () => {
  it("closes the door: 500, an empty body, and no stack in the log", async () => {
    const app = await slackUnderTest(AUDITS);
    await app.store.close();
    const answer = await app.ingress(plain(signedRequest(form(app), LOCAL_SECRET, SECONDS)));
    expect([answer, app.logged, traces(app)]).toEqual([
      { statusCode: 500, body: "" },
      [expect.stringMatching(/^ingress-failed: \w+$/)],
      { messages: 0, calls: 0 },
    ]);
  });
});

describe("requests that are taken", () => {
  it.each([
    ["five minutes late", SECONDS - 300, "application/x-www-form-urlencoded"],
    ["five minutes early", SECONDS + 300, "application/x-www-form-urlencoded"],
    ["with a charset", SECONDS, "application/x-www-form-urlencoded; charset=utf-8"],
  ])("%s", async (_, at, contentType) => {
    const app = await slackUnderTest(AUDITS);
    const signed = signedRequest(form(app), LOCAL_SECRET, at);
    const { statusCode, body } = await app.ingress(
      plain({ ...signed, headers: { ...signed.headers, "content-type": contentType } }),
    );
    expect([statusCode, JSON.parse(body).text]).toEqual([200, "Fleet: 1 of 1 cluster audited"]);
  });

  it("with header names in any case", async () => {
    const app = await slackUnderTest(AUDITS);
    const { body, headers } = signedRequest(form(app), LOCAL_SECRET, SECONDS);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await app.ingress(plain({ body, headers: shouted }))).statusCode).toBe(200);
  });

  it("in base64 with text that is not ASCII, which is shown as it was typed", async () => {
    const app = await slackUnderTest([
      audit({ id: "demo:größe", name: "größe-東京-😀", auditedAt: NOW.toISOString() }),
    ]);
    const { statusCode } = await app.say("cluster größe-東京-😀");
    expect([statusCode, app.last()]).toEqual([200, expect.stringContaining("# größe-東京-😀: ")]);
  });

  it("as text, with text that is not ASCII", async () => {
    const app = await slackUnderTest(AUDITS);
    const challenge = { type: "url_verification", challenge: "größe" };
    const answer = await app.ingress(plain(signedRequest(JSON.stringify(challenge), LOCAL_SECRET, SECONDS)));
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([200, { challenge: "größe" }]);
  });

  it("JSON in base64 with text that is not ASCII", async () => {
    const app = await slackUnderTest(AUDITS);
    const challenge = { type: "url_verification", challenge: "größe" };
    const { body, headers } = signedRequest(JSON.stringify(challenge), LOCAL_SECRET, SECONDS);
    const event = {
      headers: { ...headers },
      body: Buffer.from(body).toString("base64"),
      isBase64Encoded: true,
    };
    const answer = await app.ingress(event);
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([200, { challenge: "größe" }]);
  });
});

describe("verifySlackRequest", () => {
  const request = (secret: string) => {
    const { body, headers } = signedRequest({ text: "x" }, secret, SECONDS);
    return { headers: { ...headers }, rawBody: Buffer.from(body), now: NOW };
  };

  it("takes the secret before while it is being changed, and no empty one", async () => {
    const verify = async (signedWith: string, secrets: string[]) =>
      (await verifySlackRequest({ ...request(signedWith), secrets, replays: memoryReplays() })).ok;
    expect([
      await verify("old", ["new", "old"]),
      await verify("new", ["new", "old"]),
      await verify("other", ["new", "old"]),
      await verify("", ["new", ""]),
      await verify("old", []),
    ]).toEqual([true, true, false, false, false]);
  });

  it.each<[string, () => Promise<Replays>]>([
    ["memory", async () => memoryReplays()],
    ["the store", async () => storedReplays(await storeWith([]))],
  ])("remembers in %s what Slack signed, and nothing else", async (_, replaysOf) => {
    const replays = await replaysOf();
    const verify = (signedWith: string) =>
      verifySlackRequest({ ...request(signedWith), secrets: ["secret"], replays });
    expect([
      (await verify("forged")).ok,
      (await verify("secret")).ok,
      await verify("secret"),
      await replays.isFirst("v0=another", NOW),
    ]).toEqual([false, true, { ok: false, status: 401, reason: "replayed" }, true]);
  });
});

describe("two workspaces", () => {
  it("never share a token: each is answered with its own", async () => {
    const app = await slackUnderTest(AUDITS);
    const seen: string[] = [];
    app.slack.subscribe((event) => {
      if (event.type === "home-published") seen.push(`${event.view.teamId} ${event.view.botId}`);
    });
    const opened = { type: "app_home_opened", user: "U0ANN", tab: "home", channel: "D0ANN" };
    for (const token of ["xoxb-local-one", "xoxb-local-two", "xoxb-local-one"]) {
      await app.event(opened, { token });
    }
    await Promise.all([
      app.event(opened, { token: "xoxb-local-two" }),
      app.event(opened, { token: "xoxb-local-one" }),
    ]);
    expect(seen.toSorted()).toEqual([
      "T0ONE B0ONE",
      "T0ONE B0ONE",
      "T0ONE B0ONE",
      "T0TWO B0TWO",
      "T0TWO B0TWO",
    ]);
  });
});

describe("an event that comes again", () => {
  const opened = { type: "app_home_opened", user: "U0ANN", tab: "home", channel: "D0ANN" };

  it("is answered, and done once", async () => {
    const app = await slackUnderTest(AUDITS);
    const first = await app.event(opened, { eventId: "Ev1" });
    app.clock.now = new Date(NOW.getTime() + 60_000);
    const again = await app.event(opened, { eventId: "Ev1" });
    expect([first.statusCode, again.statusCode, app.slack.calls.map(({ method }) => method)]).toEqual([
      200,
      200,
      ["views.publish"],
    ]);
  });

  it("is done by the second when the first has failed", async () => {
    const app = await slackUnderTest(AUDITS);
    app.slack.setFaults([{ method: "views.publish", error: "fatal_error", times: 1 }]);
    const first = await app.event(opened, { eventId: "Ev1" });
    app.clock.now = new Date(NOW.getTime() + 60_000);
    const again = await app.event(opened, { eventId: "Ev1" });
    expect([first, again.statusCode, app.slack.calls.map(({ answer }) => answer)]).toEqual([
      { statusCode: 500, body: "" },
      200,
      ["fatal_error", "ok"],
    ]);
  });
});
