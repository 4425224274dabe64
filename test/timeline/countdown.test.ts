import { describe, expect, it } from "vitest";
import { countdown } from "#src/timeline/countdown.ts";

describe("countdown", () => {
  it("counts releases and months to 1.40 and 1.43, with the margin", () => {
    expect(countdown(new Date("2026-11-30T09:00:00Z"))).toEqual({
      to140: {
        version: "1.40",
        what: "KubeProxyIPVS is off by default: kube-proxy in ipvs mode exits with an error",
        certainty: "planned",
        releases: 3,
        monthsAway: 9,
        marginWeeks: 3,
        when: { text: "Aug 2027 ± 3 weeks (estimated)", from: "2027-08", to: "2027-09" },
        text: "1.40 is 3 releases away, about 9 months: Aug 2027 ± 3 weeks (estimated)",
        fact: "ipvs-off-1.40",
      },
      to143: {
        version: "1.43",
        what: "KubeProxyIPVS is locked off and the ipvs code is deleted; setting the gate to true is refused",
        certainty: "planned",
        releases: 6,
        monthsAway: 21,
        marginWeeks: 5,
        when: { text: "Aug 2028 ± 5 weeks (estimated)", from: "2028-07", to: "2028-09" },
        text: "1.43 is 6 releases away, about 21 months: Aug 2028 ± 5 weeks (estimated)",
        fact: "ipvs-removed-1.43",
      },
    });
  });

  it("drops by a release on the day the next one is out", () => {
    const releases = ["2026-12-15", "2026-12-16"].map((day) => countdown(new Date(day)).to140.releases);
    expect(releases).toEqual([3, 2]);
  });

  it.each([
    ["2027-09-01", "1.40 is 1 release away, due any week: Aug 2027 ± 3 weeks (estimated)"],
    ["2027-10-01", "1.40 is out by the calendar: Aug 2027 ± 3 weeks (estimated)"],
  ])("on %s reads: %s", (day, text) => {
    expect(countdown(new Date(day)).to140.text).toBe(text);
  });
});
