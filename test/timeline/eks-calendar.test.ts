import { describe, expect, it } from "vitest";
import { eksSupportOf } from "#src/timeline/eks-calendar.ts";
import { formatWhen } from "#src/timeline/when.ts";

function inWords(minor: string, live?: Parameters<typeof eksSupportOf>[1]) {
  const { release, endOfStandard, endOfExtended, source } = eksSupportOf(minor, live);
  return [formatWhen(release), formatWhen(endOfStandard), formatWhen(endOfExtended), source];
}

describe("EKS calendar", () => {
  it("gives the table's days for a version in the table", () => {
    expect(inWords("1.36")).toEqual([
      "2 Jun 2026",
      "2 Aug 2027 (announced)",
      "2 Aug 2028 (announced)",
      "table of 2026-11-30",
    ]);
  });

  it("prefers what the provider answered", () => {
    const live = [
      { minor: "1.36", release: "2026-06-02", endOfStandard: "2027-09-02", endOfExtended: "2028-09-02" },
    ];
    expect(inWords("1.36", live)).toEqual([
      "2 Jun 2026",
      "2 Sep 2027 (announced)",
      "2 Sep 2028 (announced)",
      "provider API",
    ]);
  });

  it("counts a day that the provider left out from the release, and marks it", () => {
    const live = [{ minor: "1.37", release: "2026-10-20", endOfStandard: null, endOfExtended: null }];
    expect(inWords("1.37", live)).toEqual([
      "20 Oct 2026",
      "Dec 2027 (estimated)",
      "Dec 2028 (estimated)",
      "provider API",
    ]);
  });

  it("estimates a version that EKS does not list, to the month", () => {
    expect(eksSupportOf("1.40")).toEqual({
      release: { month: "2027-10", marginWeeks: 3, certainty: "estimated", around: "2027-10-04" },
      endOfStandard: { month: "2028-12", marginWeeks: 3, certainty: "estimated", around: "2028-12-04" },
      endOfExtended: { month: "2029-12", marginWeeks: 3, certainty: "estimated", around: "2029-12-04" },
      source: "estimate",
      method:
        "estimate: the upstream release plus 40 days, the mean of the versions that EKS lists; 14 months of standard and 12 of extended support",
    });
  });

  it("learns EKS's delay from newer versions that the provider lists", () => {
    const live = [
      { minor: "1.37", release: "2026-11-26", endOfStandard: "2028-01-26", endOfExtended: "2029-01-26" },
    ];
    expect(eksSupportOf("1.40", live).method).toContain("plus 46 days");
  });
});
