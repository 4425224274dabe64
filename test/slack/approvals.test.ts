import { describe, expect, it } from "vitest";
import { gateClusters } from "#src/commands/gate.ts";
import { blocksAsText } from "#src/console/message-text.ts";
import { answerGate } from "#src/http-api/gate-request.ts";
import type { ClusterAudit } from "#src/model/cluster-audit.ts";
import { ProxyAuditError } from "#src/model/errors.ts";
import type { Finding } from "#src/model/finding.ts";
import { renderGate } from "#src/report/gate.ts";
import { tellVoidedApprovals } from "#src/slack/approvals/voided.ts";
import { urlEvent } from "../http-api/events.ts";
import { audit, finding } from "../model/audits.ts";
import {
  control,
  day,
  messageText,
  NOW,
  type SlackUnderTest,
  slackUnderTest,
  storeWith,
  typed,
} from "./demo.ts";

const RAVI = { userId: "U0RAV" };
const EVE = { userId: "U0EVE" };

const IPVS_ENDS: Finding = {
  ...finding("proxy-mode", "warning", "ipvs"),
  title: "kube-proxy runs in ipvs mode",
  blocksFrom: { version: "1.40", component: "kube-proxy", certainty: "planned" },
};
const KERNEL_UNKNOWN: Finding = {
  ...finding("node-kernel", "unknown", "kernel"),
  title: "Kernels were not read",
};
const RUNTIME_UNKNOWN: Finding = {
  ...finding("container-runtime", "unknown", "runtime"),
  title: "Container runtimes were not read",
};

function cluster(findings: Finding[], auditedAt = "2026-11-30T09:00:00Z"): ClusterAudit {
  return audit({ id: "eks:1/eu/payments", name: "payments", auditedAt, team: "payments", findings });
}

/** What stands in the channel for all to see, as text. */
function channel(app: SlackUnderTest) {
  return app.slack.workspace.messages.filter(({ onlyFor }) => onlyFor === null);
}

async function requested(app: SlackUnderTest, by = {}) {
  await app.say("approve payments 1.40", by);
  const request = channel(app)[0];
  if (request === undefined) throw new Error(`nothing was asked for: ${app.last()}`);
  return request;
}

const request = (app: SlackUnderTest) => {
  const first = channel(app)[0];
  if (first === undefined) throw new Error("there is no request");
  return first;
};

describe("an approval", () => {
  it("is asked for in the channel, and given by an approver, bound to the audit", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    expect(messageText(asked)).toContain("<@U0ANN> asks for approval to upgrade payments to 1.40.");
    expect(app.last()).toContain(
      "Asked in this channel: an approver other than you decides about payments to 1.40.",
    );
    await app.press(asked, control(asked.blocks, "Approve"), RAVI);
    const [approval] = await app.store.approvals();
    expect(approval).toMatchObject({
      clusterId: "eks:1/eu/payments",
      target: "1.40",
      verdict: "clear",
      requestedBy: "U0ANN",
      approvedBy: "U0RAV",
      overrideReason: null,
      expiresAt: "2026-12-14T10:00:00.000Z",
    });
    expect(messageText(request(app))).toContain(
      "*Approval:* approved, to 1.40, by <@U0RAV>, until 2026-12-14 10:00 UTC",
    );
    expect(() => control(request(app).blocks, "Approve")).toThrow("no control");
    expect(channel(app).map(({ threadTs }) => threadTs)).toEqual([null, asked.ts]);
  });

  it.each<[string, string, Partial<typeof RAVI>, string]>([
    [
      "who is no approver",
      "U0ANN",
      { userId: "U0ANN" },
      "Only approvers decide about upgrades: ask one of them.",
    ],
    [
      "the approver who asked",
      "U0RAV",
      RAVI,
      "You asked for this upgrade, so another approver decides about it.",
    ],
  ])("is refused to %s, whatever they press", async (_, asker, presser, expected) => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app, { userId: asker });
    const answers: string[] = [];
    for (const label of ["Approve", "Reject"]) {
      await app.press(asked, control(asked.blocks, label), presser);
      answers.push(app.last());
    }
    expect([answers, await app.store.approvals(), app.lastMessage().onlyFor]).toEqual([
      [expected, expected],
      [],
      presser.userId,
    ]);
  });

  it("is refused to everybody once the audit has changed, and not by one that says the same", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    await app.store.putAudit(cluster([], "2026-11-30T09:30:00Z"));
    await app.store.putAudit(cluster([finding("node-kernel", "warning")], "2026-11-30T09:40:00Z"));
    await app.press(asked, control(asked.blocks, "Approve"), RAVI);
    const refused = app.last();
    expect([refused, await app.store.approvals()]).toEqual([
      "payments was audited again and has changed: read the new verdict with /proxy-audit approve payments 1.40.",
      [],
    ]);
  });

  it.each([
    ["both approve", "Approve", "Approve"],
    ["one approves and the other rejects", "Approve", "Reject"],
    ["the other way round", "Reject", "Approve"],
  ])("is decided once of two who decide at once: %s", async (_, ravis, eves) => {
    const store = await storeWith([cluster([])]);
    // Nobody decides before both have read that nobody has.
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<void>();
    let readers = 0;
    const app = await slackUnderTest([], {
      store: {
        ...store,
        latest: async (id) => {
          readers += 1;
          if (readers === 2) resolve();
          await bothHaveRead;
          return store.latest(id);
        },
      },
    });
    const asked = await requested(app);
    await Promise.all([
      app.press(asked, control(asked.blocks, ravis), RAVI),
      app.press(asked, control(asked.blocks, eves), EVE),
    ]);
    const approvals = await store.approvals();
    const decided = await store.approvalRequest(String(control(asked.blocks, "Approve").value));
    const told = app.slack.workspace.messages.filter(
      ({ text }) => text === "Somebody else decided about this request a moment ago.",
    );
    expect([approvals.map(({ approvedBy }) => approvedBy), told.length]).toEqual([
      decided?.decision?.outcome === "approved" ? [decided.decision.by] : [],
      1,
    ]);
  });

  it("is decided once: whoever comes later is told how", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    await app.press(asked, control(asked.blocks, "Approve"), RAVI);
    await app.press(asked, control(asked.blocks, "Reject"), EVE);
    expect([app.last(), (await app.store.approvals()).length]).toEqual([
      "This request was decided already: it was approved.",
      1,
    ]);
  });

  it("can be rejected, which the message and its thread show", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    await app.press(asked, control(asked.blocks, "Reject"), RAVI);
    expect([
      messageText(request(app)).includes("❌ *Rejected* by <@U0RAV>, 2026-11-30 10:00 UTC"),
      app.last(),
      await app.store.approvals(),
    ]).toEqual([true, "❌ <@U0RAV> rejected the upgrade of payments to 1.40.", []]);
  });

  it("is not asked for where there is nothing to upgrade, or no place to ask", async () => {
    const app = await slackUnderTest([cluster([])]);
    await app.say("approve payments 1.35");
    const nothing = app.last();
    await app.say("approve payments 1.40", { channel: "C0OUT" });
    expect([nothing, app.last(), channel(app)]).toEqual([
      "payments already runs 1.35: 1.35 is no upgrade. Give a newer version.",
      "The app is not in this channel: /invite it, then try again.",
      [],
    ]);
  });

  it("is not left in the channel where the request could not be stored", async () => {
    const store = await storeWith([cluster([])]);
    const down = async () => {
      throw new ProxyAuditError("store-unavailable", "The store is not available.");
    };
    const app = await slackUnderTest([], { store: { ...store, putApprovalRequest: down } });
    await app.say("approve payments 1.40");
    expect([app.last(), channel(app)]).toEqual(["The store is not available.", []]);
  });

  it("is not known of another workspace's request", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    const there = { token: "xoxb-local-two", channel: "C0TWO", userId: "U0EVE" };
    await app.press(asked, control(asked.blocks, "Approve"), there);
    expect([app.last(), await app.store.approvals()]).toEqual([
      "This request is not known any more: ask again with /proxy-audit approve.",
      [],
    ]);
  });
});

describe("a blocked upgrade", () => {
  it("offers no approval, but an override with a reason, loudly", async () => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])]);
    const asked = await requested(app);
    expect(() => control(asked.blocks, "Approve")).toThrow("no control");
    const override = control(asked.blocks, "Override …");
    await app.press(asked, override, { userId: "U0ANN" });
    expect([app.last(), app.slack.workspace.modals.size]).toEqual([
      "Only approvers decide about upgrades: ask one of them.",
      0,
    ]);
    await app.press(asked, override, RAVI);
    expect(await app.submit({ reason: typed("   ") }, RAVI)).toEqual({
      reason: "An override needs a reason.",
    });
    expect(await app.submit({ reason: typed("The old cluster goes on Friday") }, RAVI)).toEqual({});
    expect(await app.store.approvals()).toMatchObject([
      { verdict: "blocked", approvedBy: "U0RAV", overrideReason: "The old cluster goes on Friday" },
    ]);
    const loud = "🚨 *Given against a blocked verdict*, because: The old cluster goes on Friday";
    expect(channel(app).map((one) => messageText(one).includes(loud))).toEqual([true, true]);
    const told = app.slack.calls.filter(({ method }) => method === "chat.postMessage").at(-1);
    expect(told?.args).toMatchObject({ thread_ts: asked.ts, reply_broadcast: "true" });
    await app.say("blockers payments 1.40");
    expect(app.last()).toContain(loud);
  });
});

describe("an incomplete upgrade", () => {
  it("can be approved only after each unknown was accepted, with a reason and until a day", async () => {
    const app = await slackUnderTest([cluster([KERNEL_UNKNOWN, RUNTIME_UNKNOWN])]);
    const asked = await requested(app);
    expect(() => control(asked.blocks, "Approve")).toThrow("no control");
    const accept = async (check: string, until: string) => {
      await app.press(request(app), control(request(app).blocks, check), RAVI);
      return app.submit(
        { reason: typed(`${check} is the provider's`), ticket: typed("NET-1"), expires: day(until) },
        RAVI,
      );
    };
    expect(await accept("node-kernel", "2027-03-01")).toEqual({ expires: "At most 90 days from today." });
    app.slack.closeModal("U0RAV");
    expect(await accept("node-kernel", "2026-11-30")).toEqual({ expires: "Choose a day after today." });
    app.slack.closeModal("U0RAV");
    expect(await accept("node-kernel", "2026-12-05")).toEqual({});
    expect(messageText(request(app))).toContain("while these are unknown: *container-runtime*");
    expect(() => control(request(app).blocks, "Approve")).toThrow("no control");
    expect(await accept("container-runtime", "2027-02-28")).toEqual({});
    await app.press(request(app), control(request(app).blocks, "Approve"), EVE);
    expect(await app.store.approvals()).toMatchObject([
      // It ends with the first of what it rests on.
      { verdict: "clear-with-warnings", approvedBy: "U0EVE", expiresAt: "2026-12-05T10:00:00.000Z" },
    ]);
    expect(await app.store.waivers()).toMatchObject([
      {
        check: "node-kernel",
        accepts: "unknown",
        owner: "U0RAV",
        reason: "node-kernel is the provider's",
        ticket: "NET-1",
      },
      { check: "container-runtime", accepts: "unknown", expiresAt: "2027-02-28T10:00:00.000Z" },
    ]);
  });

  it("can be decided only on a fresh audit", async () => {
    const app = await slackUnderTest([cluster([], "2026-11-28T09:00:00Z")]);
    const asked = await requested(app);
    expect(messageText(asked)).toContain(
      "It cannot be decided: stale: audited 49 hours ago, at most 36 count.",
    );
    expect(() => control(asked.blocks, "Approve")).toThrow("no control");
  });

  it("is refused at the moment of approving when the audit has become old meanwhile", async () => {
    const app = await slackUnderTest([cluster([])]);
    const asked = await requested(app);
    app.clock.now = new Date("2026-12-02T10:00:00Z");
    await app.press(asked, control(asked.blocks, "Approve"), RAVI);
    expect([app.last(), await app.store.approvals()]).toEqual([
      "payments to 1.40 is incomplete: stale: audited 49 hours ago, at most 36 count. Audit it again first.",
      [],
    ]);
  });
});

describe("an approval and later audits", () => {
  async function approved() {
    const app = await slackUnderTest([cluster([finding("node-kernel", "warning")])]);
    const asked = await requested(app);
    await app.press(asked, control(asked.blocks, "Approve"), RAVI);
    return { app, asked };
  }

  it("stays valid after a daily audit without changes, and nobody is told", async () => {
    const { app } = await approved();
    app.clock.now = new Date("2026-12-01T10:00:00Z");
    await app.store.putAudit(cluster([finding("node-kernel", "warning")], "2026-12-01T09:00:00Z"));
    const before = channel(app).length;
    await tellVoidedApprovals(app.services);
    await app.say("blockers payments 1.40");
    expect([
      channel(app).length - before,
      app.last().includes("*Approval:* valid, to 1.40, by <@U0RAV>"),
    ]).toEqual([0, true]);
  });

  it("is void after one that changed, and the thread is told, once", async () => {
    const { app, asked } = await approved();
    app.clock.now = new Date("2026-12-01T10:00:00Z");
    await app.store.putAudit(cluster([IPVS_ENDS], "2026-12-01T09:00:00Z"));
    await Promise.all([tellVoidedApprovals(app.services), tellVoidedApprovals(app.services)]);
    await tellVoidedApprovals(app.services);
    const told = channel(app).filter((one) => messageText(one).includes("*void*"));
    expect(told.map((one) => [one.threadTs, messageText(one)])).toEqual([
      [
        asked.ts,
        "⚠️ The approval by <@U0RAV> to upgrade to 1.40 is *void*: the audit of payments has changed since: what was approved is not what there is now. Ask again with /proxy-audit approve. <@U0ANN>",
      ],
    ]);
    await app.say("blockers payments 1.40");
    expect(app.last()).toContain("*Approval:* void");
  });

  it("is told again by the next run when Slack did not take the message", async () => {
    const { app } = await approved();
    await app.store.putAudit(cluster([IPVS_ENDS], "2026-11-30T09:30:00Z"));
    app.slack.setFaults([{ method: "chat.postMessage", retryAfterSeconds: 30, times: 1 }]);
    await tellVoidedApprovals(app.services);
    const first = channel(app).filter((one) => messageText(one).includes("*void*")).length;
    await tellVoidedApprovals(app.services);
    const second = channel(app).filter((one) => messageText(one).includes("*void*")).length;
    expect([first, second, app.logged]).toEqual([0, 1, ["thread-not-told: rate-limited"]]);
  });
});

describe("the gate", () => {
  it("tells of approvals and waivers as Slack does, in text, JSON and over HTTPS, and keeps its exit code", async () => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])]);
    const asked = await requested(app);
    await app.press(asked, control(asked.blocks, "Override …"), RAVI);
    await app.submit({ reason: typed("goes on Friday") }, RAVI);
    const result = gateClusters([cluster([IPVS_ENDS])], "1.40", {
      now: NOW,
      waivers: [],
      approvals: await app.store.approvals(),
    });
    const told = { state: "valid", approvedBy: "U0RAV", overrideReason: "goes on Friday" };
    expect(renderGate(result, { output: "table", colour: false, columns: 200 })).toContain(
      "Approval: valid, by U0RAV, until 2026-12-14 10:00 UTC. OVERRIDES A BLOCKED VERDICT, because: goes on Friday.",
    );
    const overHttps = await answerGate(urlEvent({ query: { cluster: "payments", to: "1.40" } }), {
      store: app.store,
      maxAuditAgeHours: 36,
      now: NOW,
    });
    expect(JSON.parse(String(overHttps.body))).toMatchObject({
      exitCode: 2,
      clusters: [{ verdict: "blocked", approval: told }],
    });
  });
});

describe("a waiver", () => {
  async function dialog(app: SlackUnderTest, by: { userId: string } = RAVI) {
    await app.say("waive payments proxy-mode", by);
    return app.slack.workspace.modals.get(by.userId)?.at(-1);
  }

  it("asks for a reason, a ticket and a day, and is told in the channel", async () => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])]);
    const view = await dialog(app);
    expect(blocksAsText(view?.view.blocks ?? [])).toContain("• kube-proxy runs in ipvs mode");
    expect(
      await app.submit(
        { reason: typed("moves in March"), ticket: typed("NET-9"), expires: day("2027-02-28") },
        RAVI,
      ),
    ).toEqual({});
    expect(await app.store.waivers()).toMatchObject([
      {
        check: "proxy-mode",
        accepts: "finding",
        fingerprints: ["proxy-mode/ipvs"],
        reason: "moves in March",
        ticket: "NET-9",
        owner: "U0RAV",
        expiresAt: "2027-02-28T10:00:00.000Z",
      },
    ]);
    expect(channel(app).map(messageText)).toEqual([
      "*Waived* until 2027-02-28 10:00 UTC: proxy-mode in payments, by <@U0RAV>\nReason: moves in March\nTicket: NET-9\nIt covers 1: kube-proxy runs in ipvs mode",
    ]);
    await app.say("blockers payments 1.40");
    expect(app.last()).toContain("→ 1.40: 🟡 clear, with warnings");
  });

  it.each<[string, Record<string, Record<string, unknown>>, Record<string, string>]>([
    [
      "no reason",
      { reason: typed(" "), expires: day("2026-12-24") },
      { reason: "a waiver needs a reason: say why this is acceptable until it expires." },
    ],
    ["no day", { reason: typed("x") }, { expires: "Choose a day." }],
    ["today", { reason: typed("x"), expires: day("2026-11-30") }, { expires: "Choose a day after today." }],
    [
      "91 days",
      { reason: typed("x"), expires: day("2027-03-01") },
      { expires: "At most 90 days from today." },
    ],
  ])("is not made with %s", async (_, values, errors) => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])]);
    await dialog(app);
    expect([await app.submit(values, RAVI), await app.store.waivers()]).toEqual([errors, []]);
  });

  it("is not made on an audit that nobody has seen", async () => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])]);
    await dialog(app);
    await app.store.putAudit(
      cluster([IPVS_ENDS, { ...IPVS_ENDS, fingerprint: "proxy-mode/other" }], "2026-11-30T09:30:00Z"),
    );
    expect([
      await app.submit({ reason: typed("x"), expires: day("2026-12-24") }, RAVI),
      await app.store.waivers(),
    ]).toEqual([{ reason: "payments was audited again and has changed: close this and look again." }, []]);
  });

  it.each<[string, Finding[], string]>([
    ["nothing is open", [], "nothing is open under proxy-mode in payments: there is nothing to waive."],
    [
      "it is released",
      [
        {
          ...IPVS_ENDS,
          status: "blocker",
          blocksFrom: { version: "1.30", component: "kube-proxy", certainty: "released" },
        },
      ],
      "proxy-mode in payments cannot be waived: it is how released software behaves, and waiting does not change it.",
    ],
  ])("is not offered where %s", async (_, findings, expected) => {
    const app = await slackUnderTest([cluster(findings)]);
    expect([await dialog(app), app.last()]).toEqual([undefined, expected]);
  });

  it("is for approvers, or for members where the settings say so", async () => {
    const strict = await slackUnderTest([cluster([IPVS_ENDS])]);
    const refused = await dialog(strict, { userId: "U0ANN" });
    const roles = { member: "everyone", approver: {}, waive: "member" };
    const open = await slackUnderTest([cluster([IPVS_ENDS])], { settings: { roles } });
    const offered = await dialog(open, { userId: "U0ANN" });
    expect([refused, strict.last(), offered?.view.callback_id]).toEqual([
      undefined,
      "Your role does not allow you to waive findings: ask an approver.",
      "waive",
    ]);
  });

  it("is not made by somebody who lost the role while the dialog was open", async () => {
    const app = await slackUnderTest([cluster([IPVS_ENDS])], {
      settings: { roles: { member: "everyone", approver: { usergroups: ["S0APP"] } } },
    });
    await dialog(app);
    app.slack.setFaults([{ method: "usergroups.users.list", error: "no_such_subteam" }]);
    app.clock.now = new Date(NOW.getTime() + 6 * 60_000);
    expect([
      await app.submit({ reason: typed("x"), expires: day("2026-12-24") }, RAVI),
      await app.store.waivers(),
    ]).toEqual([{ reason: "Your role does not allow you to waive findings." }, []]);
  });
});
