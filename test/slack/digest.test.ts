import { describe, expect, it } from "vitest";
import { dueWeek } from "#src/slack/digest/due.ts";
import { type DigestOutcome, sendDueDigests } from "#src/slack/digest/send.ts";
import type { Subscription } from "#src/store/records.ts";
import type { FindingStore } from "#src/store/store.ts";
import { audit, finding } from "../model/audits.ts";
import { messageText, type SlackUnderTest, slackUnderTest } from "./demo.ts";

const IPVS = {
  ...finding("proxy-mode", "warning", "ipvs"),
  title: "kube-proxy runs in ipvs mode",
  fix: "Leave ipvs for nftables before kube-proxy 1.40. Then restart it.",
  blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" } as const,
};

const AT_RISK = audit({
  id: "eks:1/eu/payments",
  name: "payments-prod",
  team: "payments",
  auditedAt: "2026-11-30T09:00:00Z",
  findings: [IPVS],
});
const DONE = audit({
  id: "eks:1/eu/search",
  name: "search-prod",
  team: "search",
  auditedAt: "2026-11-30T09:00:00Z",
});

function subscription(team: string, with_: Partial<Subscription> = {}): Subscription {
  return {
    team,
    channel: "C0PAY",
    workspace: "T0ONE",
    timeZone: "UTC",
    weekday: 1,
    hour: 9,
    createdBy: "U0ANN",
    createdAt: "2026-11-20T09:00:00Z",
    ...with_,
  };
}

async function subscribed(...subscriptions: Subscription[]): Promise<SlackUnderTest> {
  const app = await slackUnderTest([AT_RISK, DONE]);
  for (const one of subscriptions) await app.store.putSubscription(one);
  return app;
}

function said(app: SlackUnderTest, channel = "C0PAY") {
  return app.slack.workspace.messages.filter((message) => message.channel === channel);
}

function outcomes(of: readonly DigestOutcome[]) {
  return of.map(({ team, outcome }) => `${team}: ${outcome}`);
}

describe("when a digest is due", () => {
  const berlin = subscription("payments", { timeZone: "Europe/Berlin" });
  it.each<[string, Subscription, string, string | null]>([
    ["a minute before its hour", berlin, "2026-11-30T07:59:00Z", null],
    ["at its hour, by its own clock", berlin, "2026-11-30T08:00:00Z", "2026-W49"],
    [
      "on the other side of the date line",
      subscription("p", { timeZone: "Pacific/Auckland" }),
      "2026-11-29T20:00:00Z",
      "2026-W49",
    ],
    ["later in the week, for a run that was missed", berlin, "2026-12-06T22:59:00Z", "2026-W49"],
    ["in the next week", berlin, "2026-12-06T23:00:00Z", null],
    ["in the last week of a year", berlin, "2027-01-01T12:00:00Z", "2026-W53"],
    [
      "for one made before its hour",
      { ...berlin, createdAt: "2026-11-30T07:00:00Z" },
      "2026-11-30T08:00:00Z",
      "2026-W49",
    ],
    [
      "for one made after its hour",
      { ...berlin, createdAt: "2026-11-30T08:30:00Z" },
      "2026-12-01T08:00:00Z",
      null,
    ],
    [
      "for one made after its hour, a week on",
      { ...berlin, createdAt: "2026-11-30T08:30:00Z" },
      "2026-12-07T08:00:00Z",
      "2026-W50",
    ],
    ["in summer time", berlin, "2027-06-07T07:00:00Z", "2027-W23"],
  ])("%s", (_, one, now, expected) => {
    expect(dueWeek(one, new Date(now))).toBe(expected);
  });
});

describe("a digest", () => {
  it("says the headline and what to do, with the details in its thread", async () => {
    const app = await subscribed(subscription("payments"));
    expect(outcomes(await sendDueDigests(app.services))).toEqual(["payments: sent"]);
    const [main, details, ...more] = said(app);
    if (main === undefined || details === undefined) throw new Error("nothing was sent");
    expect(messageText(main)).toBe(
      [
        "# Leaving ipvs: the week of team payments",
        "*ipvs off by default:* 1.40 is 3 releases away, about 9 months: Aug 2027 ± 3 weeks (estimated)\n*ipvs removed:* 1.43 is 6 releases away, about 21 months: Aug 2028 ± 5 weeks (estimated)\n*Coverage:* 1 of 1 cluster audited\n*Burn-down:* 1 of 1 cluster on ipvs; it begins with this week",
        "Burn-down   Clusters  ipvs  Not set  Not known\n2026-11-30  1         1     0        0",
        "*Changed since last week*\n• audited for the first time: payments-prod",
        "*At risk* (1), the one next action each; owner: team payments",
        "• payments-prod: Leave ipvs for nftables before kube-proxy 1.40.",
        "Months are estimates by upstream's release rhythm, days are published ones\nDetails in the thread; `/proxy-audit fleet team=payments` shows them at any time",
      ].join("\n\n"),
    );
    expect([details.threadTs, messageText(details), more, main.metadata]).toEqual([
      main.ts,
      expect.stringContaining("payments-prod  ipvs  🔴 blocked"),
      [],
      { event_type: "proxy_audit_digest", event_payload: { team: "payments", week: "2026-W49" } },
    ]);
  });

  it("is one line for a team with nothing to do", async () => {
    const app = await subscribed(subscription("search"));
    await app.store.putAudit({ ...DONE, dataPlane: { ...DONE.dataPlane, mode: "nftables" } });
    app.clock.now = new Date("2026-12-14T09:00:00Z");
    await app.store.putAudit({ ...DONE, auditedAt: "2026-12-14T08:00:00Z" });
    await sendDueDigests(app.services);
    expect(said(app).map(messageText)).toEqual([
      "search: nothing to do this week. 1 of 1 cluster audited. 1.40 is 3 releases away, about 8 months: Aug 2027 ± 3 weeks (estimated).",
    ]);
  });

  it("says of a team without audited clusters that nothing is known, not that nothing is to do", async () => {
    const app = await subscribed(subscription("nobody"));
    await sendDueDigests(app.services);
    expect(said(app).map(messageText)).toEqual([
      "No audited cluster belongs to team nobody: nothing is known, which is not the same as fine.",
    ]);
  });

  it("tells what changed, what burned down and which waivers expire", async () => {
    const app = await subscribed(subscription("payments"));
    await sendDueDigests(app.services);
    app.clock.now = new Date("2026-12-07T10:00:00Z");
    const at = "2026-12-07T08:00:00Z";
    await app.store.putAudit({
      ...AT_RISK,
      auditedAt: at,
      findings: [finding("proxy-mode", "pass", "ipvs"), finding("node-kernel", "warning")],
      dataPlane: { ...AT_RISK.dataPlane, mode: "nftables" },
    });
    await app.store.putAudit({
      ...AT_RISK,
      id: "eks:1/eu/two",
      name: "payments-two",
      auditedAt: at,
      reachable: false,
      findings: [finding("proxy-mode", "unknown")],
    });
    await app.store.putWaiver({
      id: "w",
      clusterId: AT_RISK.id,
      check: "node-kernel",
      accepts: "finding",
      fingerprints: ["node-kernel/cluster"],
      reason: "soon gone",
      ticket: null,
      owner: "U0RAV",
      createdAt: at,
      expiresAt: "2026-12-10T09:00:00Z",
    });
    await sendDueDigests(app.services);
    const text = messageText(said(app).filter(({ threadTs }) => threadTs === null)[1] ?? app.lastMessage());
    for (const part of [
      "*Coverage:* 1 of 2 clusters audited, 1 not reached",
      "*Burn-down:* 0 of 2 clusters on ipvs, 1 not known, 1 fewer than on 2026-11-30",
      "• left ipvs: payments-prod",
      "• audited for the first time: payments-two",
      "*Waivers expiring* (1)\n\n• node-kernel on payments-prod, by <@U0RAV>: 2 days left",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("has a chart only where the settings turn it on", async () => {
    const types = async (charts: boolean) => {
      const app = await slackUnderTest([AT_RISK], { settings: { charts } });
      await app.store.putSubscription(subscription("payments"));
      await sendDueDigests(app.services);
      app.clock.now = new Date("2026-12-07T10:00:00Z");
      const sent = await sendDueDigests(app.services);
      const blocks = said(app).flatMap((message) => message.blocks as { type: string }[]);
      return [outcomes(sent), blocks.filter(({ type }) => type === "data_visualization").length];
    };
    expect([await types(false), await types(true)]).toEqual([
      [["payments: sent"], 0],
      [["payments: sent"], 1],
    ]);
  });
});

describe("a digest is sent once, or reported, and never twice", () => {
  it("of two runs at once, and of every run after them", async () => {
    const app = await subscribed(subscription("payments"));
    const both = await Promise.all([sendDueDigests(app.services), sendDueDigests(app.services)]);
    const later = await sendDueDigests(app.services);
    expect([both.flatMap(outcomes).toSorted(), outcomes(later), said(app).length]).toEqual([
      ["payments: being-sent", "payments: sent"],
      ["payments: already-sent"],
      2,
    ]);
  });

  it("to each of two channels, by the workspace of each", async () => {
    const app = await subscribed(
      subscription("payments"),
      subscription("payments", { channel: "C0SEA" }),
      subscription("search", { channel: "C0TWO", workspace: "T0TWO" }),
    );
    expect(outcomes(await sendDueDigests(app.services))).toEqual([
      "payments: sent",
      "payments: sent",
      "search: sent",
    ]);
    expect([
      said(app).length,
      said(app, "C0SEA").length,
      said(app, "C0TWO").map(({ botId }) => botId),
    ]).toEqual([2, 2, expect.arrayContaining(["B0TWO"])]);
  });

  it("a worker that dies between claim and post: maybe sent, until somebody looked and released it", async () => {
    const app = await subscribed(subscription("payments"));
    await app.store.claimDigest(
      { team: "payments", channel: "C0PAY", isoWeek: "2026-W49" },
      "2026-11-30T09:00:00Z",
    );
    const found = [outcomes(await sendDueDigests(app.services))];
    app.clock.now = new Date("2026-11-30T11:00:00Z");
    found.push(outcomes(await sendDueDigests(app.services)));
    expect([found, said(app).length, said(app, "C0OPS").map(messageText)]).toEqual([
      [["payments: maybe-sent"], ["payments: maybe-sent"]],
      0,
      [
        "1 weekly digests were not sent as they should have been\n\n• payments in C0PAY, 2026-W49: maybe-sent. A run that was to send it died before it said whether it had. Look, then /proxy-audit digest release.",
      ],
    ]);
    await app.say("digest payments release");
    const refused = app.last();
    await app.say("digest payments release", { userId: "U0RAV" });
    expect([refused, app.last(), outcomes(await sendDueDigests(app.services))]).toEqual([
      "Only approvers may let a digest be sent again: ask one of them.",
      "The digest of team payments for 2026-W49 is released: the next hourly run sends it.",
      ["payments: sent"],
    ]);
    await app.say("digest payments release", { userId: "U0RAV" });
    expect([app.last(), outcomes(await sendDueDigests(app.services))]).toEqual([
      "There is nothing to release: the digest of team payments for 2026-W49 was sent, or not begun.",
      ["payments: already-sent"],
    ]);
  });

  it("a worker that dies between post and confirmation: maybe sent, and not sent again", async () => {
    const app = await subscribed(subscription("payments"));
    const dies: FindingStore = {
      ...app.store,
      confirmDigest: async () => {
        throw new Error("killed");
      },
    };
    const first = await sendDueDigests({ ...app.services, store: dies });
    app.clock.now = new Date("2026-11-30T11:00:00Z");
    const second = await sendDueDigests(app.services);
    expect([outcomes(first), outcomes(second), said(app).length]).toEqual([
      ["payments: maybe-sent"],
      ["payments: maybe-sent"],
      1,
    ]);
  });

  it.each([
    ["an answer that got lost", { method: "chat.postMessage", status: 504, afterEffect: true, times: 1 }],
    [
      "an error of which Slack says it may have worked",
      { method: "chat.postMessage", error: "internal_error", times: 1 },
    ],
  ])("%s: maybe sent, reported, and not sent again", async (_, fault) => {
    const app = await subscribed(subscription("payments"));
    app.slack.setFaults([fault]);
    const first = await sendDueDigests(app.services);
    const posted = said(app).length;
    app.clock.now = new Date("2026-11-30T11:00:00Z");
    const second = await sendDueDigests(app.services);
    expect([outcomes(first), outcomes(second), said(app).length - posted, said(app, "C0OPS").length]).toEqual(
      [["payments: maybe-sent"], ["payments: maybe-sent"], 0, 1],
    );
  });

  it("a 429: known not to be there, so the next run sends it; others are not kept waiting", async () => {
    const app = await subscribed(subscription("payments"), subscription("search"));
    app.slack.setFaults([{ method: "chat.postMessage", retryAfterSeconds: 30, times: 1 }]);
    const first = await sendDueDigests(app.services);
    const second = await sendDueDigests(app.services);
    expect([outcomes(first), first[0]?.detail, outcomes(second)]).toEqual([
      ["payments: waiting", "search: sent"],
      "Slack asks to wait 30 seconds before the next message: try again then.",
      ["payments: sent", "search: already-sent"],
    ]);
    expect(
      said(app).filter(({ text, threadTs }) => text.startsWith("payments") && threadTs === null).length,
    ).toBe(1);
  });

  it("a 429 on the thread: sent, and reported that the details are missing", async () => {
    const app = await subscribed(subscription("payments"));
    let posts = 0;
    app.slack.subscribe(({ type }) => {
      posts += type === "message-posted" ? 1 : 0;
      if (posts === 1) app.slack.setFaults([{ method: "chat.postMessage", retryAfterSeconds: 30, times: 1 }]);
    });
    const first = await sendDueDigests(app.services);
    expect([outcomes(first), outcomes(await sendDueDigests(app.services)), said(app).length]).toEqual([
      ["payments: sent-without-thread"],
      ["payments: already-sent"],
      1,
    ]);
  });

  it("an archived channel: reported once, not by the hour, and sent when it is back", async () => {
    const app = await subscribed(subscription("payments", { channel: "C0OLD" }));
    const first = await sendDueDigests(app.services);
    await sendDueDigests(app.services);
    const reports = said(app, "C0OPS").map(messageText);
    app.slack.workspace.channels.set("C0OLD", { id: "C0OLD", name: "archived", teamId: "T0ONE" });
    const back = await sendDueDigests(app.services);
    expect([outcomes(first), reports, outcomes(back), said(app, "C0OLD").length]).toEqual([
      ["payments: waiting"],
      [
        "1 weekly digests were not sent as they should have been\n\n• payments in C0OLD, 2026-W49: waiting. The channel is archived: unarchive it, or choose another one.",
      ],
      ["payments: sent"],
      2,
    ]);
  });

  it("a digest that cannot be made does not keep the others from being sent, and is tried again", async () => {
    const app = await subscribed(subscription("payments"), subscription("search"));
    let failed = false;
    const broken: FindingStore = {
      ...app.store,
      changesSince: async (since, filter) => {
        if (filter?.team === "payments" && !failed) {
          failed = true;
          throw new Error("no changes today");
        }
        return app.store.changesSince(since, filter);
      },
    };
    const services = { ...app.services, store: broken };
    expect([outcomes(await sendDueDigests(services)), outcomes(await sendDueDigests(services))]).toEqual([
      ["payments: failed", "search: sent"],
      ["payments: sent", "search: already-sent"],
    ]);
  });
});
