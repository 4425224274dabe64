import { describe, expect, it } from "vitest";
import { validateMessage, validateView } from "#src/console/slack-api/validate.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import type { Finding } from "#src/model/finding.ts";
import { sendDueDigests } from "#src/slack/digest/send.ts";
import { audit, finding } from "../model/audits.ts";
import { EVIL } from "./blocks/hostile.ts";
import { control, day, NOW, type SlackUnderTest, slackUnderTest, typed } from "./demo.ts";

const AT = NOW.toISOString();

function evilFinding(check: string, status: Finding["status"]): Finding {
  return {
    ...finding(check, status, EVIL),
    title: `${check}: ${EVIL}`,
    detail: `In ${EVIL}.`,
    fix: `Change ${EVIL}.`,
    evidence: [
      { source: { kind: "kubernetes", ref: `/api/v1/nodes/${EVIL}`, at: AT }, path: EVIL, excerpt: EVIL },
    ],
    subjects: [`Node ${EVIL}`],
    ...(check === "proxy-mode" || check === "node-kernel"
      ? { blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" } }
      : {}),
  };
}

const EVIL_CLUSTER: ClusterAudit = audit({
  id: `eks:1/eu/${EVIL}`,
  name: EVIL,
  team: EVIL,
  environment: EVIL,
  provider: EVIL,
  account: EVIL,
  region: EVIL,
  auditedAt: AT,
  findings: [
    evilFinding("proxy-mode", "warning"),
    evilFinding("node-kernel", "unknown"),
    evilFinding("external-ips", "warning"),
    evilFinding("config-origin", "info"),
  ],
  unread: [{ what: `pods of ${EVIL}`, why: "forbidden", detail: EVIL }],
});

/** Everything that Slack would parse, in everything that anybody was shown. */
function parsedTexts(app: SlackUnderTest): string[] {
  const shown = [
    ...app.slack.workspace.messages.flatMap(({ text, blocks }) => [{ type: "mrkdwn", text }, blocks]),
    ...[...app.slack.workspace.modals.values()].flat().map(({ view }) => view),
    ...[...app.slack.workspace.homes.values()].map(({ view }) => view),
  ];
  const found: string[] = [];
  JSON.stringify(shown, (_, value) => {
    if (typeof value === "object" && value !== null && value.type === "mrkdwn") found.push(value.text);
    return value;
  });
  return found;
}

/** What of the name still works as markup. */
function live(text: string): string[] {
  // In a code span nothing is formatted; mentions and links would work even there.
  const formatted = text.replace(/`[^`]*`/g, "").match(/(?<!\w)\*x\*(?!\w)/g) ?? [];
  return [...formatted, ...(text.match(/<!channel>|<http:\/\/evil[^>]*>/g) ?? [])];
}

describe(`a cluster, node, tag or reason named ${EVIL}`, () => {
  const name = `"${EVIL}"`;
  it.each([
    "fleet",
    `fleet team=${name}`,
    `cluster ${name}`,
    "countdown",
    `countdown ${name}`,
    `blockers ${name} 1.40`,
    `blockers team=${name} 1.40`,
    `blockers env=${name} 1.40`,
    `plan ${name}`,
    `scan ${name}`,
    `ask ${EVIL}`,
    "ask which clusters run ipvs?",
    `explain ${name}`,
    `waive ${name} proxy-mode`,
    `waive ${name} ${name}`,
    `approve ${name} 1.40`,
    `subscribe ${name}`,
    `subscribe x tz=${name} day=${name}`,
    `digest ${name} preview`,
    `digest ${name}`,
    EVIL,
    `cluster ${EVIL}`,
  ])("is shown literally: %s", async (text) => {
    const app = await slackUnderTest([EVIL_CLUSTER, { ...EVIL_CLUSTER, id: "eks:2" }].slice(0, 1));
    // As Slack sends what somebody types.
    const sent = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect((await app.say(sent, { userId: "U0RAV" })).statusCode).toBe(200);
    const texts = parsedTexts(app);
    expect(texts.length).toBeGreaterThan(0);
    expect([texts.flatMap(live), app.refusals(), app.logged]).toEqual([[], [], []]);
  });

  it("is shown literally in approvals, waivers, digests and the home page, in threads and dialogs", async () => {
    const app = await slackUnderTest([EVIL_CLUSTER]);
    const rav = { userId: "U0RAV" };
    await app.say(`waive ${name} proxy-mode`, rav);
    await app.submit({ reason: typed(EVIL), ticket: typed(EVIL), expires: day("2026-12-05") }, rav);
    await app.say(`approve ${name} 1.40`);
    const asked = app.slack.workspace.messages.findLast(({ onlyFor }) => onlyFor === null);
    if (asked === undefined) throw new Error("nothing was asked for");
    await app.press(asked, control(asked.blocks, "node-kernel"), rav);
    await app.submit({ reason: typed(EVIL), ticket: typed(EVIL), expires: day("2026-12-05") }, rav);
    const accepted = app.slack.workspace.messages.find(({ ts }) => ts === asked.ts) ?? asked;
    await app.press(accepted, control(accepted.blocks, "Approve"), rav);
    await app.say(`cluster ${name}`);
    await app.store.putSubscription({
      team: EVIL,
      channel: "C0PAY",
      workspace: "T0ONE",
      timeZone: "UTC",
      weekday: 1,
      hour: 9,
      createdBy: EVIL,
      createdAt: "2026-11-01T00:00:00Z",
    });
    await sendDueDigests(app.services);
    await app.event({ type: "app_home_opened", user: "U0ANN", tab: "home" });
    const home = app.slack.workspace.homes.get("U0ANN");
    if (home === undefined) throw new Error("no home page");
    await app.press(home, control(home.view.blocks, EVIL));
    expect([(await app.store.waivers()).length, (await app.store.approvals()).length]).toEqual([2, 1]);
    expect([parsedTexts(app).flatMap(live), app.refusals(), app.logged]).toEqual([[], [], []]);
  });

  it("is found by that name, so that nothing above was an error message", async () => {
    const app = await slackUnderTest([EVIL_CLUSTER]);
    await app.say(`cluster ${name}`);
    expect(app.last()).toContain(`# ${EVIL}: 🔴 blocked`);
  });
});

describe("300 clusters with 60 Services to each finding", () => {
  const services = Array.from(
    { length: 20 },
    (_, index) => `Service team-${index}/a-rather-long-service-name-${index}`,
  );
  const many: ClusterAudit[] = Array.from({ length: 300 }, (_, index) =>
    audit({
      id: `eks:111122223333/eu-central-1/a-cluster-with-a-rather-long-name-${index}`,
      name: `a-cluster-with-a-rather-long-name-${index}`,
      team: index % 2 === 0 ? "payments" : "search",
      environment: "production",
      auditedAt: AT,
      reachable: index % 50 !== 0,
      findings: [
        "proxy-mode",
        "node-kernel",
        "external-ips",
        "nodeport-addresses",
        "chain-dependents",
        "config-origin",
      ].map((check, at) => ({
        ...finding(check, at === 1 ? "unknown" : at < 4 ? "warning" : "info", `${index}`),
        title: `${"What is wrong, at some length. ".repeat(4)}${index}`,
        detail: "And what it means, at much more length, over and over. ".repeat(27),
        fix: "Do this first, and then do that, and then look whether it has helped. ".repeat(10),
        evidence: services.map((service) => ({
          source: { kind: "kubernetes" as const, ref: `/api/v1/services/${service}`, at: AT },
          path: "spec.ports[0].nodePort",
          excerpt: service,
        })),
        subjects: services,
        subjectCount: 60,
        blocksFrom: { version: "1.40", component: "kube-proxy" as const, certainty: "planned" as const },
      })),
      unread: services.map((service) => ({ what: service, why: "forbidden" as const, detail: "no" })),
    }),
  );
  const one = "a-cluster-with-a-rather-long-name-7";

  it.each([
    "fleet",
    "fleet at-risk",
    `cluster ${one}`,
    "cluster a-cluster",
    "countdown",
    `blockers ${one} 1.40`,
    "blockers env=production 1.40",
    "blockers team=payments 1.43",
    `approve ${one} 1.40`,
    `waive ${one} proxy-mode`,
    "ask which clusters run ipvs?",
    "digest payments preview",
  ])("exceed no limit: %s", async (text) => {
    const app = await slackUnderTest(many);
    await app.say(text, { userId: "U0RAV" });
    const { messages, modals } = app.slack.workspace;
    // By the limits of the Web API, which are the narrower ones.
    const problems = [
      ...messages.flatMap(({ text: fallback, blocks }) =>
        validateMessage({ text: fallback, blocks: [...blocks] }),
      ),
      ...[...modals.values()].flat().flatMap(({ view }) => validateView(view)),
    ];
    expect([problems, app.refusals(), app.logged]).toEqual([[], [], []]);
  });

  it("say in each answer how much is missing, and where it is", async () => {
    const app = await slackUnderTest(many);
    const answers: string[] = [];
    for (const text of [
      "fleet",
      `blockers ${one} 1.40`,
      "blockers env=production 1.40",
      "cluster a-cluster",
    ]) {
      await app.say(text);
      answers.push(app.last());
    }
    expect(answers).toEqual([
      expect.stringMatching(/… and 2\d\d more clusters: proxy-audit fleet/),
      expect.stringContaining(`: proxy-audit gate ${one} --to 1.40`),
      expect.stringMatching(/… and 2\d\d more clusters: proxy-audit gate --all --to 1.40/),
      expect.stringMatching(/\(first \d+ of 300\)/),
    ]);
  });

  it("fit into digests and the home page", async () => {
    const app = await slackUnderTest(many, { settings: { charts: true } });
    for (const team of ["payments", "search"]) {
      await app.store.putSubscription({
        team,
        channel: "C0PAY",
        workspace: "T0ONE",
        timeZone: "UTC",
        weekday: 1,
        hour: 9,
        createdBy: "U0ANN",
        createdAt: "2026-11-01T00:00:00Z",
      });
    }
    const sent = await sendDueDigests(app.services);
    await app.event({ type: "app_home_opened", user: "U0ANN", tab: "home" });
    expect([sent.map(({ outcome }) => outcome), app.refusals(), app.slack.workspace.homes.size]).toEqual([
      ["sent", "sent"],
      [],
      1,
    ]);
  });
});
