import { describe, expect, it } from "vitest";
import { auditDemoFleet } from "#src/console/demo-store.ts";
import { audit, finding } from "../model/audits.ts";
import { control, demoAudits, NOW, slackUnderTest, slow, storeWith } from "./demo.ts";

const AT = NOW.toISOString();

describe("every command, answered from the demo fleet", () => {
  it.each<[string, readonly (string | RegExp)[]]>([
    [
      "",
      [/^# What \/proxy-audit can do/, "`/proxy-audit blockers CLUSTER|team=TEAM|env=ENVIRONMENT VERSION`"],
    ],
    ["help", [/^# What \/proxy-audit can do/]],
    [
      "fleet",
      [
        /^# Fleet: \d+ clusters/,
        "*Coverage:* ",
        "1 not reached, 1 denied",
        "payments-prod-eu",
        "Audited between 2026-11-30 10:00 UTC",
      ],
    ],
    ["fleet team=payments env=production", [/^# Fleet of team payments in production: /, "payments-prod-us"]],
    ["fleet mode=nftables", [/^# Fleet in mode nftables: /, "data-nftables"]],
    ["fleet at-risk", [/^# Fleet at risk: /, "🔴 blocked"]],
    ["fleet team=nobody", ["No audited cluster fits of team nobody."]],
    [
      "cluster payments-prod-eu",
      [
        "# payments-prod-eu: 🔴 blocked",
        "*To 1.40:* 🔴 blocked by proxy-mode (planned)",
        "payments-prod-eu (demo:payments-prod-eu), audited just now, 2026-11-30 10:00 UTC",
        "Evidence: every read succeeded; ",
        "A verdict covers: kube-proxy, node kernel, container runtime. It does not cover: ",
      ],
    ],
    ["cluster PAYMENTS-PROD-EU", ["# payments-prod-eu: 🔴 blocked"]],
    [
      "cluster unreachable",
      ["# unreachable: ⚪ incomplete", "No evidence: the cluster gave no answer (unreachable)"],
    ],
    ["cluster locked-down", ["# locked-down: ⚪ incomplete", "Evidence: not read: ", "(forbidden)"]],
    [
      "countdown",
      [
        "# Countdown",
        "1.40 is 3 releases away",
        "(estimated)",
        "is offered on EKS from",
        "*Cannot be told* (",
      ],
    ],
    ["countdown payments", ["# Countdown for team payments", "payments-prod-eu (ipvs)"]],
    [
      "blockers payments-prod-eu 1.40",
      [
        "# payments-prod-eu 1.35 → 1.40: 🔴 blocked",
        "*Blocks*",
        "_Evidence:_ /api/v1/namespaces/kube-system/configmaps/kube-proxy-config",
        "_Next:_ ",
        "[Ask for approval] [Audit again]",
        "A verdict covers: ",
      ],
    ],
    [
      "blockers team=payments v1.40.2",
      [
        "# Upgrade of team payments to 1.40: 🔴 blocked",
        "*Clear now* (",
        "*Blocked* (2): payments-prod-eu and payments-prod-us",
        "*Cannot be told* (1): unreachable",
      ],
    ],
    ["blockers env=production 1.43", ["# Upgrade in production to 1.43: 🔴 blocked"]],
    ["plan web-kubeadm", ["Migration plans are not built yet.", "web-kubeadm (demo:web-kubeadm), audited"]],
    ["scan web-kubeadm", ["Queued: web-kubeadm is being audited again."]],
    [
      "ask is ipvs removed in 1.37?",
      [
        "# Is ipvs removed in Kubernetes 1.37?",
        "A popular claim, and it is wrong.",
        "*Your fleet:* ",
        "Certainty: planned",
        "KEP-5495",
      ],
    ],
    ["ask how warm is it", ["No answer to that is known here. The nearest questions are:"]],
    ["explain", [/^# \d+ checks/, "proxy-mode"]],
    ["explain proxy-mode", ["# proxy-mode", "*Why it matters*", "It can block an upgrade: 1.40 (planned)"]],
    ["subscribe", ["This channel gets no digest."]],
    ["digest payments preview", ["# Leaving ipvs: the week of team payments", "*At risk* (", "Burn-down"]],
  ])("%s", async (text, expected) => {
    const app = await slackUnderTest(await demoAudits());
    const { statusCode } = await app.say(text);
    const answer = app.last();
    expect(statusCode).toBe(200);
    for (const part of expected) {
      if (typeof part === "string") expect(answer).toContain(part);
      else expect(answer).toMatch(part);
    }
    expect([app.lastMessage().onlyFor, app.refusals(), app.logged]).toEqual(["U0ANN", [], []]);
  });

  it.each([
    ["flet", '"flet" is not a command. Did you mean /proxy-audit fleet?'],
    ["<@U0ANN>", '"<@U0ANN>" is not a command. /proxy-audit help lists them.'],
    ["cluster", "Which cluster? /proxy-audit cluster NAME"],
    ["cluster payments-prd-eu", 'There is no cluster "payments-prd-eu". Did you mean payments-prod-eu?'],
    ["cluster qqqqqqqqqqqq", 'There is no cluster "qqqqqqqqqqqq". /proxy-audit fleet lists them.'],
    [
      "blockers",
      "Which cluster, and to which version? /proxy-audit blockers CLUSTER|team=TEAM|env=ENVIRONMENT VERSION",
    ],
    [
      "blockers payments-prod-eu",
      "Which cluster, and to which version? /proxy-audit blockers CLUSTER|team=TEAM|env=ENVIRONMENT VERSION",
    ],
    [
      "blockers payments-prod-eu soon",
      '"soon" is not a Kubernetes version to upgrade to. Give one like 1.40.',
    ],
    [
      "blockers payments-prod-eu 1.34",
      "payments-prod-eu already runs 1.35: 1.34 is no upgrade. Give a newer version.",
    ],
    ["blockers team=nobody 1.40", "There are no audited clusters of team nobody."],
    ["blockers teem=payments 1.40", "teem= is not an option here. Did you mean team=?"],
    [
      "fleet mode=ivps",
      '"ivps" is not a mode. There are: ipvs, iptables, nftables, kernelspace, userspace, unset, none, mixed, unknown.',
    ],
    [
      "fleet please",
      '"please" is not known here. /proxy-audit fleet [team=TEAM] [mode=MODE] [env=ENVIRONMENT] [at-risk]',
    ],
    ['cluster "payments', 'the quotation that starts with " does not end.'],
    ["explain proxy-mod", 'no check "proxy-mod". Did you mean proxy-mode?'],
    ["ask", "What? /proxy-audit ask is ipvs removed in 1.37?"],
    ["digest", "Whose digest? /proxy-audit digest [TEAM] preview|release"],
    ["subscribe payments tz=Mars/Olympus", '"Mars/Olympus" is not a time zone. Give one like Europe/Berlin.'],
    ["subscribe payments day=someday", '"someday" is not a weekday. Give one like monday.'],
    ["subscribe payments hour=25", '"25" is not a full hour. Give one from 0 to 23.'],
  ])("%s: says what is wrong and what to type", async (text, expected) => {
    const app = await slackUnderTest(await demoAudits());
    expect([(await app.say(text)).statusCode, app.last()]).toEqual([200, expected]);
  });
});

describe("a name that fits several clusters", () => {
  it("offers a menu, and what is chosen takes its place", async () => {
    const app = await slackUnderTest(await demoAudits());
    await app.say("blockers payments 1.40");
    const menu = app.lastMessage();
    expect(app.last()).toBe(
      '"payments" fits 2 clusters. Which one?\n\n[Choose a cluster: payments-prod-eu | payments-prod-us]',
    );
    await app.press(menu, control(menu.blocks, "payments-prod-us"));
    expect([app.slack.workspace.messages.length, app.lastMessage().ts, app.last()]).toEqual([
      1,
      menu.ts,
      expect.stringContaining("# payments-prod-us 1.36 → 1.40: 🔴 blocked"),
    ]);
  });

  it("tells two clusters of one name apart by their identifiers", async () => {
    const twins = ["eu", "us"].map((region) =>
      audit({ id: `eks:111122223333/${region}/payments`, name: "payments", auditedAt: AT }),
    );
    const app = await slackUnderTest(twins);
    await app.say("cluster payments");
    const menu = app.lastMessage();
    const element = (menu.blocks[1] as { elements: { options: { description: { text: string } }[] }[] })
      .elements[0];
    expect(element?.options.map(({ description }) => description.text)).toEqual([
      "eks:111122223333/eu/payments",
      "eks:111122223333/us/payments",
    ]);
    await app.say("cluster eks:111122223333/us/payments");
    expect(app.last()).toContain("(eks:111122223333/us/payments)");
  });
});

describe("work that takes longer", () => {
  it("scan: queued at once, and the fresh audit takes the place of that", async () => {
    const app = await slackUnderTest(await demoAudits(), {
      audit: async (only) => {
        const [fresh] = await auditDemoFleet(app.store, { now: () => app.clock.now, only });
        if (fresh === undefined) throw new Error("nothing was audited");
        return fresh;
      },
    });
    app.clock.now = new Date("2026-11-30T12:00:00Z");
    await app.say("scan web");
    const { ts } = app.lastMessage();
    const queued = app.last();
    app.clock.now = new Date("2026-11-30T12:00:05Z");
    expect([queued, await app.work(), app.slack.workspace.messages.length, app.lastMessage().ts]).toEqual([
      "Queued: web-kubeadm is being audited again. The answer takes the place of this message. What is known now is of 2 hours ago.",
      1,
      1,
      ts,
    ]);
    expect(app.last()).toContain("audited just now, 2026-11-30 12:00 UTC");
  });

  it("scan: says so when the cluster could not be audited", async () => {
    const app = await slackUnderTest(await demoAudits(), {
      audit: async () => {
        throw new Error("socket hang up at 10.0.0.1 with token k8s-aws-v1.secret");
      },
    });
    await app.say("scan web");
    await app.work();
    expect([app.last(), app.logged]).toEqual([
      expect.stringMatching(
        /^That did not work, and it is not your fault. The log says why, at reference \w{8}.$/,
      ),
      ["command-failed: Error"],
    ]);
  });

  it("a question that takes too long is left to the worker", async () => {
    const store = slow(await storeWith(await demoAudits()), 50);
    const app = await slackUnderTest([], { store, answerWithinMs: 5 });
    await app.say("fleet");
    const waiting = app.last();
    await app.work();
    expect([waiting, app.slack.workspace.messages.length, app.last()]).toEqual([
      "This takes a little longer. The answer takes the place of this message.",
      1,
      expect.stringMatching(/^# Fleet: /),
    ]);
  });

  it("is not answered at an address that is none of Slack's, nor when nobody can be answered any more", async () => {
    const app = await slackUnderTest(await demoAudits());
    const { doWork } = await import("#src/slack/worker.ts");
    const work = {
      id: "w1",
      kind: "command",
      text: "fleet",
      teamId: "T0ONE",
      channel: "C0PAY",
      userId: "U0ANN",
      queuedAt: AT,
    } as const;
    const refused = async (responseUrl: string) =>
      doWork(app.services, { ...work, responseUrl }).then(
        () => "answered",
        (error: Error) => error.message,
      );
    const elsewhere = "The address to answer at is not one of Slack's.";
    expect([
      await refused("https://evil.example/"),
      await refused("http://169.254.169.254/latest"),
      await refused(`${app.slack.url.replace("http://", "http://user@")}/response/r1`),
      await refused(`${app.slack.url}.evil.example/response/r1`),
      await refused("not an address"),
    ]).toEqual(Array.from({ length: 5 }, () => elsewhere));
    app.clock.now = new Date("2026-11-30T10:31:00Z");
    expect([await refused("https://evil.example/"), app.logged]).toEqual(["answered", ["work-too-old"]]);
  });
});

describe("roles", () => {
  it("answers nobody but members, and counts approvers as members", async () => {
    const roles = { member: { users: ["U0ANN"] }, approver: { usergroups: ["S0APP"] } };
    const app = await slackUnderTest([], { settings: { roles } });
    const answers: string[] = [];
    for (const userId of ["U0ANN", "U0RAV", "U0EVE"]) {
      await app.say("help", { userId });
      answers.push(app.last().split("\n")[0] ?? "");
    }
    expect(answers).toEqual([
      "# What /proxy-audit can do",
      "# What /proxy-audit can do",
      "You are not among those who may ask here: ask whoever installed the app.",
    ]);
  });

  it("has nobody in a group that cannot be read", async () => {
    const roles = { member: { usergroups: ["S0APP"] }, approver: {} };
    const app = await slackUnderTest([], { settings: { roles } });
    app.slack.setFaults([{ method: "usergroups.users.list", error: "missing_scope", times: 2 }]);
    await app.say("help", { userId: "U0RAV" });
    const refused = app.last();
    app.slack.setFaults([]);
    await app.say("help", { userId: "U0RAV" });
    expect([refused, app.last().split("\n")[0], app.logged]).toEqual([
      "You are not among those who may ask here: ask whoever installed the app.",
      "# What /proxy-audit can do",
      ["usergroup-unread: S0APP"],
    ]);
  });
});

describe("subscribe", () => {
  it("is said in the channel, listed, and ended", async () => {
    const app = await slackUnderTest(await demoAudits());
    await app.say("subscribe payments tz=Europe/Berlin day=tue hour=8");
    const said = app.slack.workspace.messages.map(({ text, onlyFor }) => [text, onlyFor]);
    await app.say("subscribe");
    const listed = app.last();
    await app.say("subscribe payments off");
    expect([said, listed, app.last(), await app.store.subscriptions()]).toEqual([
      [
        [
          "This channel gets the weekly digest of team payments: Tuesdays at 08:00 (Europe/Berlin). <@U0ANN> asked for it; /proxy-audit subscribe payments off ends it.",
          null,
        ],
        [
          "Subscribed: Tuesdays at 08:00 (Europe/Berlin). /proxy-audit digest payments preview shows what comes.",
          "U0ANN",
        ],
      ],
      "This channel gets the digests of:\n\n• payments: Tuesdays at 08:00 (Europe/Berlin)",
      "This channel no longer gets the digest of team payments.",
      [],
    ]);
  });

  it.each([
    ["C0OUT", "The app is not in this channel: /invite it, then try again."],
    ["C0OLD", "The channel is archived: unarchive it, or choose another one."],
  ])("stores nothing for a channel where it could not post: %s", async (channel, expected) => {
    const app = await slackUnderTest(await demoAudits());
    await app.say("subscribe payments", { channel });
    expect([app.last(), await app.store.subscriptions()]).toEqual([expected, []]);
  });
});

describe("tables in answers", () => {
  it("come as text where the settings say so", async () => {
    const app = await slackUnderTest(
      [audit({ id: "a", auditedAt: AT, findings: [finding("proxy-mode", "info")] })],
      {
        settings: { answerTables: "text" },
      },
    );
    await app.say("fleet");
    expect(app.lastMessage().blocks.map((block) => (block as { type: string }).type)).not.toContain("table");
  });

  it("come as text through a response_url where Slack refuses them", async () => {
    const store = slow(await storeWith(await demoAudits()), 50);
    const app = await slackUnderTest([], { store, answerWithinMs: 5, fake: { missingBlocks: ["table"] } });
    await app.say("fleet");
    await app.work();
    expect([
      app.last().startsWith("# Fleet: "),
      app.lastMessage().blocks.some((block) => (block as { type: string }).type === "table"),
    ]).toEqual([true, false]);
  });
});
