import { describe, expect, it } from "vitest";
import { timelineRows } from "#src/timeline/rows.ts";

const NOW = new Date("2026-11-30T09:00:00Z");

describe("timeline rows", () => {
  it("carry version, date, certainty, component and source", () => {
    expect(timelineRows({ from: "1.46" }, NOW)).toEqual([
      {
        version: "1.46",
        when: "Aug 2029 ± 6 weeks (estimated)",
        certainty: "planned",
        what: "the gate KubeProxyIPVS is gone: naming it at all is refused",
        component: "kube-proxy",
        monthsAway: 33,
        source: "KEP-5495, README, Graduation Criteria, Cleanup",
        sourceUrl:
          "https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/5495-deprecate-ipvs-mode-in-kube-proxy",
      },
    ]);
  });

  it("are upstream's alone without a provider, by version", () => {
    const rows = timelineRows({}, NOW);
    expect(rows.map(({ version }) => version)).toEqual([
      ...["1.31", "1.32", "1.33", "1.35", "1.35", "1.37", "1.37", "1.37", "1.37", "1.38", "1.38"],
      ...["1.39", "1.40", "1.40", "1.40", "1.40", "1.43", "1.43", "1.46"],
    ]);
    expect(rows.filter(({ what }) => /AWS|EKS|ACK|Talos/.test(what))).toEqual([]);
  });

  it("add what EKS announces, and its calendar of the versions it supports", () => {
    const rows = timelineRows({ provider: "eks" }, NOW).filter(({ what }) => /AWS|EKS/.test(what));
    expect(
      rows.slice(0, 5).map(({ version, when, certainty, what }) => [version, when, certainty, what]),
    ).toEqual([
      [
        "1.32",
        "23 Jan 2025",
        "released",
        "EKS offers 1.32; standard support until 23 Mar 2026 (announced), extended until 23 Mar 2027 (announced)",
      ],
      [
        "1.33",
        "29 May 2025",
        "released",
        "EKS offers 1.33; standard support until 29 Jul 2026 (announced), extended until 29 Jul 2027 (announced)",
      ],
      ["1.33", "23 Apr 2025", "released", "the EKS kube-proxy add-on accepts nftables mode"],
      [
        "1.34",
        "2 Oct 2025",
        "released",
        "EKS offers 1.34; standard support until 2 Dec 2026 (announced), extended until 2 Dec 2027 (announced)",
      ],
      [
        "1.35",
        "27 Jan 2026",
        "released",
        "EKS offers 1.35; standard support until 27 Mar 2027 (announced), extended until 27 Mar 2028 (announced)",
      ],
    ]);
  });

  it.each(["aks", "ack", "talos"])("add what %s does", (provider) => {
    expect(timelineRows({ provider }, NOW)).toHaveLength(timelineRows({}, NOW).length + 1);
  });

  it("compare versions by number", () => {
    expect(timelineRows({ from: "1.9" }, NOW)).toEqual(timelineRows({}, NOW));
  });
});
