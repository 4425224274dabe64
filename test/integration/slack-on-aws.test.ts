import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCAL_SECRET } from "#src/console/local-slack.ts";
import { blocksAsText } from "#src/console/message-text.ts";
import { commandForm } from "#src/console/slack-api/interactions.ts";
import { type FakeSlack, startFakeSlack } from "#src/console/slack-api/server.ts";
import { signedRequest } from "#src/console/slack-api/signed-request.ts";
import type { FindingStore } from "#src/store/store.ts";
import { lambdaContext, runConsumers } from "../fakes/lambda.ts";
import { type Backend, localBackend } from "./fleet-backends.ts";
import { PAYMENTS } from "./fleet-organization.ts";
import { type FleetWorld, REGION, startFleetWorld } from "./fleet-world.ts";

const SHOP = `eks:${PAYMENTS}/${REGION}/shop`;
const OWNER = { team: "Example", botId: "B0ONE", botUserId: "U0BOT", appId: "A0APP", teamId: "T0ONE" };
const BY = { token: "xoxb-local-one", userId: "U0ANN", channel: "C0PAY", command: "/proxy-audit" } as const;

describe("Slack, in the functions", () => {
  let world: FleetWorld;
  let backend: Backend;
  let slack: FakeSlack;
  let store: FindingStore;

  beforeEach(async () => {
    slack = await startFakeSlack({
      tokens: { "xoxb-local-one": OWNER },
      users: [
        { id: "U0BOT", name: "proxy-audit", isBot: true },
        { id: "U0ANN", name: "ann", realName: "Ann" },
      ],
      channels: [{ id: "C0PAY", name: "team-payments" }],
    });
    const settings = {
      appIds: ["A0APP"],
      workspaces: [{ teamId: "T0ONE", botToken: "xoxb-local-one", botId: "B0ONE", botUserId: "U0BOT" }],
      roles: { member: "everyone", approver: {} },
    };
    world = await startFleetWorld(localBackend, {
      PROXY_AUDIT_SLACK_SETTINGS: JSON.stringify(settings),
      PROXY_AUDIT_SLACK_SIGNING_SECRET: LOCAL_SECRET,
      PROXY_AUDIT_SLACK_API_URL: slack.apiUrl,
    });
    ({ backend, store } = world);
    const { openAuditNow } = await import("#src/fleet-run/open-audit-now.ts");
    const { readConfig } = await import("#src/config.ts");
    const auditNow = await openAuditNow(
      readConfig(process.env, [
        "region",
        "table",
        "memberRole",
        "externalId",
        "kubernetesIdentity",
        "privateEndpoints",
        "extraEndpointHosts",
        "teamTags",
        "environmentTags",
        "owners",
      ]),
      process.env,
    );
    await auditNow(SHOP);
  });

  afterEach(async () => {
    await world.close();
    await slack.close();
  });

  async function say(text: string): Promise<{ statusCode: number; responseUrl: string; body: string }> {
    const { handler } = await import("../../functions/slack.ts");
    const form = commandForm(slack, { ...BY, text });
    const signed = signedRequest(form, LOCAL_SECRET, Math.floor(Date.now() / 1_000));
    const answer = await handler(
      {
        headers: { ...signed.headers },
        body: Buffer.from(signed.body).toString("base64"),
        isBase64Encoded: true,
      },
      lambdaContext("slack", 5_000),
    );
    return { ...answer, responseUrl: form.response_url ?? "" };
  }

  it("answer a command from the stored audits, and nobody without Slack's signature", async () => {
    const answer = await say("blockers shop 1.40");
    expect(answer.statusCode).toBe(200);
    expect(slack.acknowledged(answer.responseUrl, JSON.parse(answer.body))).toEqual([]);
    const shown = slack.workspace.messages.at(-1);
    expect(blocksAsText(shown?.blocks ?? [])).toContain("shop");

    const { handler } = await import("../../functions/slack.ts");
    const forged = { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "text=fleet" };
    expect(await handler(forged, lambdaContext("slack", 5_000))).toMatchObject({ statusCode: 401, body: "" });
  });

  it("queue a scan, audit the cluster in the worker, and put the answer where it was queued", async () => {
    const before = await store.history(SHOP, { limit: 10 });
    const answer = await say("scan shop");
    expect(answer.statusCode).toBe(200);
    expect(slack.acknowledged(answer.responseUrl, JSON.parse(answer.body))).toEqual([]);
    const { handler } = await import("../../functions/slack-worker.ts");
    const consumer = { queueUrl: backend.queueUrl("slack"), handler, batchSize: 1 };
    expect(await runConsumers(backend.sqs, [consumer])).toBe(1);
    expect(await store.history(SHOP, { limit: 10 })).toHaveLength(before.length + 1);
    const shown = slack.workspace.messages.at(-1);
    expect(blocksAsText(shown?.blocks ?? [])).toContain("shop");
  });

  it("send a due digest once, however often the clock calls", async () => {
    const now = new Date();
    await store.putSubscription({
      team: "payments",
      channel: "C0PAY",
      workspace: "T0ONE",
      timeZone: "UTC",
      weekday: 1,
      hour: 0,
      createdBy: "U0ANN",
      createdAt: new Date(now.getTime() - 8 * 86_400_000).toISOString(),
    });
    const { handler } = await import("../../functions/digest.ts");
    const first = await handler({}, lambdaContext("digest"));
    const again = await handler({}, lambdaContext("digest"));
    expect([first, again].map((outcomes) => outcomes.map(({ outcome }) => outcome))).toEqual([
      ["sent"],
      ["already-sent"],
    ]);
    const posted = slack.workspace.messages.filter(({ threadTs }) => threadTs === null);
    expect(posted).toHaveLength(1);
  });
});
