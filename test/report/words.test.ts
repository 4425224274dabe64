import { describe, expect, it } from "vitest";
import type { ClusterAudit, DataPlane } from "#src/model/cluster-audit.ts";
import { modeText } from "#src/report/cluster-facts.ts";
import { clusterViews } from "#src/report/cluster-view.ts";
import { fleetSummary } from "#src/report/fleet-summary.ts";
import { nextAction } from "#src/report/next-action.ts";
import { byVersion } from "#src/report/verdict-text.ts";
import { ageOf, minuteOf } from "#src/report/when.ts";
import { DARK, EDGE, NOW, PAYMENTS, SEARCH, scan } from "./example.ts";

describe("the next action", () => {
  it.each<[string, ClusterAudit, string]>([
    [
      "is to reach a silent cluster",
      DARK,
      "Make the cluster reachable and audit it again (timeout: no answer from 10.0.0.7:6443 within 60 s)",
    ],
    [
      "is to reach a silent cluster, whatever else is known of it",
      { ...PAYMENTS, reachable: false },
      "Make the cluster reachable and audit it again",
    ],
    [
      "is the fix of what is broken today, before what blocks later",
      PAYMENTS,
      "Remove featureGates.KubeProxyIPVS from the kube-proxy add-on's configuration values",
    ],
    [
      "is to make readable what could not be read",
      SEARCH,
      "Grant get on configmaps in kube-system: proxy-audit doctor",
    ],
    ["is nothing where every verdict is clear", EDGE, "Nothing to do for 1.38 and 1.40"],
    [
      "is nothing where only a migration or tidiness asks for something",
      {
        ...EDGE,
        findings: [
          {
            ...PAYMENTS.findings[0],
            about: "hygiene",
            status: "unknown",
            check: "sync-health",
            fix: "Give metrics",
          },
          { ...PAYMENTS.findings[0], about: "migration", status: "warning", fix: "Switch Calico as well" },
        ] as ClusterAudit["findings"],
      },
      "Nothing to do for 1.38 and 1.40; 1 warning to read beside the upgrade",
    ],
    ["is never nothing where there is no verdict", { ...EDGE, verdicts: {} }, "See the verdicts"],
    [
      "is never nothing where a verdict is not clear, though no finding says why",
      { ...EDGE, verdicts: SEARCH.verdicts },
      "See the verdicts",
    ],
    [
      "is what a finding says where none has a fix",
      { ...SEARCH, findings: SEARCH.findings.map(({ fix: _, ...finding }) => finding) },
      "The proxy mode could not be read",
    ],
  ])("%s", (_, cluster, action) => {
    expect(nextAction(cluster)).toBe(action);
  });
});

describe("the mode in words", () => {
  it.each<[Partial<DataPlane>, string]>([
    [{ mode: "ipvs", effectiveMode: "ipvs", observedMode: "ipvs" }, "ipvs"],
    [{ mode: "ipvs", effectiveMode: "ipvs", observedMode: "iptables" }, "ipvs configured, iptables running"],
    [{ mode: "unset", effectiveMode: "iptables" }, "not set (iptables runs)"],
    [{ mode: "unset", effectiveMode: null }, "not set"],
    [{ mode: "none", replacedBy: "cilium" }, "replaced by cilium"],
    [{ mode: "none", replacedBy: null }, "none"],
    [{ mode: "unknown", managedBy: "provider" }, "unknown (run by the provider)"],
    [{ mode: "unknown", observedMode: "ipvs" }, "unknown (ipvs runs)"],
    [{ mode: "mixed", observedMode: "ipvs" }, "mixed"],
  ])("of %j is %s", (dataPlane, text) => {
    const nothing = { effectiveMode: null, observedMode: null, replacedBy: null, managedBy: null };
    expect(modeText({ ...EDGE.dataPlane, ...nothing, ...dataPlane })).toBe(text);
  });
});

describe("the fleet", () => {
  it("has the worst first, and tells clusters of one name apart by their identifiers", () => {
    const other = { ...EDGE, id: "eks:444455556666/us-east-1/payments", name: "payments" };
    expect(
      clusterViews(scan(EDGE, other, SEARCH, PAYMENTS, DARK), { now: NOW }).map((view) => view.label),
    ).toEqual([PAYMENTS.id, "search", "old-lab", "edge", other.id]);
  });

  it("accounts for every cluster at each target, and names those that gave no answer", () => {
    expect(fleetSummary({ ...scan(PAYMENTS, DARK), finishedAt: "2027-03-01T09:31:00Z" })).toEqual([
      "2 clusters, audited from 2027-03-01 09:00 UTC to 2027-03-01 09:31 UTC.",
      "No answer from old-lab.",
      "Upgrade to 1.36: 1 blocked; 1 without a verdict.",
      "Upgrade to 1.40: 1 blocked; 1 without a verdict.",
    ]);
  });

  it("sorts versions by number, and what is no version last", () => {
    expect(["latest", "1.40", "1.9", "1.36"].toSorted(byVersion)).toEqual(["1.9", "1.36", "1.40", "latest"]);
  });
});

describe("times", () => {
  it.each([
    ["2027-03-01T11:59:00Z", "just now"],
    ["2027-03-01T12:05:00Z", "just now"],
    ["2027-03-01T11:00:00Z", "60 minutes ago"],
    ["2027-03-01T07:30:00Z", "4 hours ago"],
    ["2027-02-20T12:00:00Z", "9 days ago"],
    ["never", "at an unknown time"],
  ])("%s is %s", (instant, age) => {
    expect(ageOf(instant, NOW)).toBe(age);
  });

  it.each([
    ["2027-03-01T10:00:30+01:00", "2027-03-01 09:00 UTC"],
    ["never", "never"],
  ])("%s reads %s", (instant, text) => {
    expect(minuteOf(instant)).toBe(text);
  });
});
