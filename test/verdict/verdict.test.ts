import { describe, expect, it } from "vitest";
import type { Finding } from "#src/model/finding.ts";
import { COVERS, DOES_NOT_COVER, findingsBehind, verdictOf } from "#src/verdict/verdict.ts";
import { auditWith, findingWith, NOW, waiverWith } from "./audits.ts";

/** A finding without a version that it blocks from. */
function plain(parts: Partial<Finding>): Finding {
  const { blocksFrom: _, ...rest } = findingWith();
  return { ...rest, ...parts };
}

describe("verdictOf", () => {
  it("says what blocks, how sure that is, what it covers and how far the control plane can go alone", () => {
    expect(verdictOf(auditWith([findingWith()]), "1.40", { now: NOW })).toEqual({
      target: "1.40",
      verdict: "blocked",
      blockers: ["proxy-mode"],
      warnings: [],
      unknown: [],
      waived: [],
      reasons: [],
      certainty: "planned",
      controlPlaneAlone: { kubeProxy: "1.39", atMost: "1.42" },
      covers: COVERS,
      doesNotCover: DOES_NOT_COVER,
      assumptions: [
        "kube-proxy and the kubelets move to 1.40 with their configuration as it is",
        "upstream's plans and providers' announcements happen as published",
      ],
      auditedAt: NOW.toISOString(),
    });
  });

  it.each<[string, Finding, string]>([
    ["a version before the block", findingWith(), "clear-with-warnings"],
    [
      "a block that is reached",
      findingWith({ blocksFrom: { version: "1.39", component: "kubelet", certainty: "planned" } }),
      "blocked",
    ],
    [
      "a block that is over by then",
      findingWith({
        status: "blocker",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        blocksUntil: "1.39",
      }),
      "clear-with-warnings",
    ],
    [
      "a block that is over only later",
      findingWith({
        status: "blocker",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "released" },
        blocksUntil: "1.41",
      }),
      "blocked",
    ],
    [
      "kubeadm's own objection",
      findingWith({ blocksFrom: { version: "1.39", component: "kubeadm", certainty: "planned" } }),
      "clear-with-warnings",
    ],
    [
      "kubeadm's objection before its version",
      findingWith({ blocksFrom: { version: "1.41", component: "kubeadm", certainty: "planned" } }),
      "clear",
    ],
    ["a migration finding", plain({ check: "strict-arp", about: "migration" }), "clear"],
    ["a hygiene finding", plain({ check: "dead-ipvs-config", about: "hygiene" }), "clear"],
    [
      "a migration finding past the flip",
      plain({ about: "migration", upgradeFrom: { version: "1.39", certainty: "planned" } }),
      "clear-with-warnings",
    ],
    [
      "a migration finding before the flip",
      plain({ about: "migration", upgradeFrom: { version: "1.40", certainty: "planned" } }),
      "clear",
    ],
    ["what passes", plain({ status: "pass" }), "clear"],
    ["what informs", plain({ status: "info" }), "clear"],
    [
      "an unknown that can block here",
      findingWith({
        status: "unknown",
        blocksFrom: { version: "1.36", component: "kube-proxy", certainty: "announced" },
      }),
      "incomplete",
    ],
    [
      "an unknown that can block at any version",
      plain({ check: "proxy-mode-invalid", status: "unknown" }),
      "incomplete",
    ],
    ["an unknown that can block later", findingWith({ status: "unknown" }), "clear"],
    ["an unknown that can only warn", plain({ check: "version-skew", status: "unknown" }), "clear"],
    [
      "an unknown about a migration",
      plain({ check: "node-kernel", about: "migration", status: "unknown" }),
      "clear",
    ],
  ])("for 1.39: %s", (_, finding, word) => {
    expect(verdictOf(auditWith([finding]), "1.39", { now: NOW }).verdict).toBe(word);
  });

  it("lists the unknown beside the blocker, and names the least certain claim that blocks", () => {
    const released = findingWith({
      check: "ipvs-gate",
      blocksFrom: { version: "1.37", component: "kube-proxy", certainty: "released" },
      fingerprint: "a",
    });
    const unknown = plain({ check: "proxy-mode-invalid", status: "unknown", fingerprint: "b" });
    const {
      verdict,
      blockers,
      unknown: listed,
      certainty,
    } = verdictOf(auditWith([findingWith(), released, unknown]), "1.40", { now: NOW });
    expect({ verdict, blockers, listed, certainty }).toEqual({
      verdict: "blocked",
      blockers: ["proxy-mode", "ipvs-gate"],
      listed: ["proxy-mode-invalid"],
      certainty: "planned",
    });
  });

  it.each([
    ["36 hours old", "2026-11-28T21:00:00Z", "blocked", []],
    ["37 hours old", "2026-11-28T20:00:00Z", "incomplete", ["stale: audited 37 hours ago, at most 36 count"]],
  ])("counts an audit that is %s as it should", (_, auditedAt, verdict, reasons) => {
    const made = verdictOf(auditWith([findingWith()], { auditedAt }), "1.40", { now: NOW });
    expect({ verdict: made.verdict, reasons: made.reasons }).toEqual({ verdict, reasons });
  });

  it("takes another limit for the audit's age", () => {
    const audit = auditWith([], { auditedAt: "2026-11-30T06:00:00Z" });
    expect(verdictOf(audit, "1.40", { now: NOW, maxAuditAgeHours: 2 }).verdict).toBe("incomplete");
  });

  it.each([
    ["where kube-proxy goes with the control plane", { provider: "kubeadm" }],
    ["where kube-proxy is past the block already", { kubeProxyVersions: ["1.40"] }],
  ])("does not say how far the control plane can go alone %s", (_, parts) => {
    expect(verdictOf(auditWith([findingWith()], parts), "1.41", { now: NOW }).controlPlaneAlone).toBeNull();
  });

  it("shows what was waived, and makes it a warning", () => {
    const { verdict, blockers, waived, controlPlaneAlone } = verdictOf(auditWith([findingWith()]), "1.40", {
      now: NOW,
      waivers: [waiverWith()],
    });
    expect({ verdict, blockers, waived, controlPlaneAlone }).toEqual({
      verdict: "clear-with-warnings",
      blockers: [],
      waived: ["proxy-mode"],
      controlPlaneAlone: null,
    });
  });

  it("says that the cluster's own version is unknown", () => {
    const { assumptions } = verdictOf(auditWith([], { kubernetesVersion: null }), "1.40", { now: NOW });
    expect(assumptions).toContain("the cluster's own version is unknown");
  });
});

describe("findingsBehind", () => {
  it("sorts findings by what they do at the target", () => {
    const blocks = findingWith();
    const unknown = plain({ check: "proxy-mode-invalid", status: "unknown" });
    const warns = plain({ check: "version-skew" });
    const behind = findingsBehind(auditWith([blocks, unknown, warns, plain({ status: "pass" })]), "1.40");
    expect(behind).toEqual({ blocks: [blocks], unknown: [unknown], warns: [warns] });
  });
});
