import { describe, expect, it } from "vitest";
import { gateBuysMonths, newestReleaseAt, RELEASE_RHYTHM, releaseOf } from "#src/timeline/calendar.ts";
import { addDays, addMonths, daysBetween } from "#src/timeline/days.ts";
import { estimatedAround, formatWhen, monthsUntil, periodOf, publishedOn } from "#src/timeline/when.ts";

const NOW = new Date("2026-11-30T09:00:00Z");

describe("release calendar", () => {
  it("gives the published days of a release that is out", () => {
    expect(releaseOf("1.37")).toEqual({
      minor: "1.37",
      date: "2026-08-26",
      month: "2026-08",
      marginWeeks: null,
      certainty: "released",
      around: "2026-08-26",
      method: "released (kubernetes/sig-release)",
      endOfLife: {
        date: "2027-10-28",
        month: "2027-10",
        marginWeeks: null,
        certainty: "announced",
        around: "2027-10-28",
      },
    });
  });

  it("gives the scheduled day of the next one, and estimates its end of life", () => {
    expect(releaseOf("1.38")).toEqual({
      minor: "1.38",
      date: "2026-12-16",
      month: "2026-12",
      marginWeeks: null,
      certainty: "planned",
      around: "2026-12-16",
      method: "the release team's schedule (kubernetes/sig-release)",
      endOfLife: { month: "2028-02", marginWeeks: null, certainty: "estimated", around: "2028-02-16" },
    });
  });

  it("estimates 1.40 from the published days, and says how", () => {
    expect(releaseOf("1.40")).toEqual({
      minor: "1.40",
      month: "2027-08",
      marginWeeks: 3,
      certainty: "estimated",
      around: "2027-08-25",
      method:
        "estimate: three releases a year, in April, August and December; the last published release of the same season plus 364 days a year (median of the published ones); margin of two standard deviations of the gap between releases, growing with the square root of the number of releases ahead",
      endOfLife: { month: "2028-10", marginWeeks: 3, certainty: "estimated", around: "2028-10-25" },
    });
  });

  it.each([
    ["1.39", "2027-04", 3, "2028-06"],
    ["1.40", "2027-08", 3, "2028-10"],
    ["1.41", "2027-12", 4, "2029-02"],
    ["1.42", "2028-04", 4, "2029-06"],
    ["1.43", "2028-08", 5, "2029-10"],
    ["1.44", "2028-12", 5, "2030-02"],
    ["1.45", "2029-04", 5, "2030-06"],
    ["1.46", "2029-08", 6, "2030-10"],
  ])("%s: %s ± %i weeks, patched until %s", (minor, month, marginWeeks, endOfLife) => {
    const release = releaseOf(minor);
    expect([release.month, release.marginWeeks, release.endOfLife.month]).toEqual([
      month,
      marginWeeks,
      endOfLife,
    ]);
  });

  it("counts versions older than the table back, as estimates", () => {
    // Released 2023-04-11 and 2020-12-08.
    expect(formatWhen(releaseOf("1.27"))).toBe("Apr 2023 ± 2 weeks (estimated)");
    expect(formatWhen(releaseOf("1.20"))).toBe("Dec 2020 ± 5 weeks (estimated)");
  });

  it("agrees with counting mean gaps, within the margin", () => {
    for (let ahead = 1; ahead <= 8; ahead++) {
      const release = releaseOf(`1.${38 + ahead}`);
      const byMeanGap = addDays("2026-12-16", ahead * RELEASE_RHYTHM.meanGapDays);
      expect(Math.abs(daysBetween(release.around, byMeanGap))).toBeLessThanOrEqual(
        (release.marginWeeks ?? 0) * 7,
      );
    }
  });

  it("computes the rhythm from the published days", () => {
    expect(RELEASE_RHYTHM.yearDays).toBe(364);
    expect(RELEASE_RHYTHM.meanGapDays).toBeCloseTo(121.9, 1);
    expect(RELEASE_RHYTHM.gapSpreadDays).toBeCloseTo(6.74, 2);
  });

  it.each(["", "latest", "1"])("refuses %j, which is no minor version", (minor) => {
    expect(() => releaseOf(minor)).toThrow();
  });

  it.each([
    ["2026-11-30", "1.37"],
    ["2026-12-15", "1.37"],
    ["2026-12-16", "1.38"],
    ["2020-01-01", "1.28"],
    ["2027-05-11", "1.38"],
    ["2027-05-12", "1.39"],
  ])("on %s the newest release is %s", (day, minor) => {
    expect(newestReleaseAt(new Date(day))).toBe(minor);
  });

  it("says that the gate buys a year, not nine months", () => {
    expect(gateBuysMonths()).toBe(12);
  });
});

describe("a point in time", () => {
  it.each([
    [publishedOn("2026-08-26", "released"), "26 Aug 2026"],
    [publishedOn("2026-12-06", "planned"), "6 Dec 2026 (planned)"],
    [publishedOn("2027-08-02", "announced"), "2 Aug 2027 (announced)"],
    [estimatedAround("2027-08-25", 3), "Aug 2027 ± 3 weeks (estimated)"],
    [estimatedAround("2027-08-25", 1), "Aug 2027 ± 1 week (estimated)"],
    [estimatedAround("2028-02-16", null), "Feb 2028 (estimated)"],
  ])("%o reads %s", (when, text) => {
    expect(formatWhen(when)).toBe(text);
  });

  it("spans days where one was published, months where not", () => {
    expect(periodOf(publishedOn("2026-08-26", "released"))).toEqual({
      text: "26 Aug 2026",
      from: "2026-08-26",
      to: "2026-08-26",
    });
    expect(periodOf(estimatedAround("2027-08-25", 3))).toEqual({
      text: "Aug 2027 ± 3 weeks (estimated)",
      from: "2027-08",
      to: "2027-09",
    });
  });

  it.each([
    ["2027-08-25", 9],
    ["2026-12-16", 1],
    ["2026-11-28", 0],
    ["2026-08-26", -3],
  ])("%s is %i months from 2026-11-30", (day, months) => {
    expect(monthsUntil(publishedOn(day, "released"), NOW)).toBe(months);
  });

  it.each([
    ["2026-06-02", 14, "2027-08-02"],
    ["2026-12-31", 2, "2027-02-28"],
    ["2026-01-31", -2, "2025-11-30"],
  ])("%s and %i months is %s", (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected);
  });
});
