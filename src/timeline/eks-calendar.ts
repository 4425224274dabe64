import { compareMinor } from "#src/kubernetes/version.ts";
import { releaseOf } from "./calendar.ts";
import { addDays, addMonths, daysBetween, mean, standardDeviation } from "./days.ts";
import { estimatedAround, publishedOn, type When } from "./when.ts";

/** One version as EKS lists it (DescribeClusterVersions). Days as `2026-06-02`; null where the API left one out. */
export interface EksVersion {
  minor: string;
  release: string | null;
  endOfStandard: string | null;
  endOfExtended: string | null;
}

export interface EksSupport {
  release: When;
  endOfStandard: When;
  endOfExtended: When;
  source: "provider API" | "table of 2026-11-30" | "estimate";
  /** Where the table was read or how the estimate was made. */
  method: string;
}

/** Read 2026-11-30 from endoflife.date, which takes it from AWS; up to 1.34 also in the EKS user guide. */
export const EKS_TABLE = {
  readAt: "2026-11-30",
  source: "Amazon EKS user guide, Kubernetes release calendar; endoflife.date/amazon-eks",
  sourceUrl: "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html",
  versions: [
    row("1.29", "2024-01-23", "2025-03-23", "2026-03-23"),
    row("1.30", "2024-05-23", "2025-07-23", "2026-07-23"),
    row("1.31", "2024-09-26", "2025-11-26", "2026-11-26"),
    row("1.32", "2025-01-23", "2026-03-23", "2027-03-23"),
    row("1.33", "2025-05-29", "2026-07-29", "2027-07-29"),
    row("1.34", "2025-10-02", "2026-12-02", "2027-12-02"),
    row("1.35", "2026-01-27", "2027-03-27", "2028-03-27"),
    row("1.36", "2026-06-02", "2027-08-02", "2028-08-02"),
  ],
};

/** "14 months of standard support and 12 of extended support" (EKS user guide). */
const STANDARD_MONTHS = 14;
const EXTENDED_MONTHS = 26;

/**
 * When EKS offers a version and until when it supports it: from `live`, the provider's own list, where that has
 * the version; otherwise from the table; otherwise an estimate from the upstream release and the days that EKS
 * took for the versions it lists. Never throws.
 */
export function eksSupportOf(minor: string, live: readonly EksVersion[] = []): EksSupport {
  const answered = live.find((version) => version.minor === minor);
  const listed = EKS_TABLE.versions.find((version) => version.minor === minor);
  if (answered !== undefined) {
    const filled = {
      ...answered,
      release: answered.release ?? listed?.release ?? null,
      endOfStandard: answered.endOfStandard ?? listed?.endOfStandard ?? null,
      endOfExtended: answered.endOfExtended ?? listed?.endOfExtended ?? null,
    };
    return { ...datesOf(filled, live), source: "provider API", method: "DescribeClusterVersions" };
  }
  if (listed !== undefined) {
    return { ...datesOf(listed, live), source: "table of 2026-11-30", method: EKS_TABLE.source };
  }
  const unknown = { minor, release: null, endOfStandard: null, endOfExtended: null };
  return {
    ...datesOf(unknown, live),
    source: "estimate",
    method:
      `estimate: the upstream release plus ${Math.round(mean(lagsOf(live)))} days, the mean of the versions that ` +
      `EKS lists; ${STANDARD_MONTHS} months of standard and 12 of extended support`,
  };
}

/** Published days where there are any; what is missing is counted from the release, and marked estimated. */
function datesOf(
  version: EksVersion,
  live: readonly EksVersion[],
): Pick<EksSupport, "release" | "endOfStandard" | "endOfExtended"> {
  const release =
    version.release === null
      ? estimatedRelease(version.minor, live)
      : publishedOn(version.release, "released");
  const after = (months: number) => estimatedAround(addMonths(release.around, months), release.marginWeeks);
  return {
    release,
    endOfStandard:
      version.endOfStandard === null
        ? after(STANDARD_MONTHS)
        : publishedOn(version.endOfStandard, "announced"),
    endOfExtended:
      version.endOfExtended === null
        ? after(EXTENDED_MONTHS)
        : publishedOn(version.endOfExtended, "announced"),
  };
}

/** The margins of the upstream date and of EKS's delay are independent, so they add up in squares. */
function estimatedRelease(minor: string, live: readonly EksVersion[]): When {
  const upstream = releaseOf(minor);
  const lags = lagsOf(live);
  const spreadWeeks = (2 * standardDeviation(lags)) / 7;
  const margin = Math.max(1, Math.round(Math.hypot(upstream.marginWeeks ?? 0, spreadWeeks)));
  return estimatedAround(addDays(upstream.around, mean(lags)), margin);
}

/** Days from the upstream release to the release on EKS, for every version of which both are known. */
function lagsOf(live: readonly EksVersion[]): number[] {
  const newer = live.filter((version) => !EKS_TABLE.versions.some(({ minor }) => minor === version.minor));
  return [...EKS_TABLE.versions, ...newer]
    .toSorted((a, b) => compareMinor(a.minor, b.minor))
    .flatMap(({ minor, release }) => {
      const upstream = releaseOf(minor).date;
      return upstream === undefined || release === null ? [] : [daysBetween(upstream, release)];
    });
}

function row(minor: string, release: string, endOfStandard: string, endOfExtended: string): EksVersion {
  return { minor, release, endOfStandard, endOfExtended };
}
