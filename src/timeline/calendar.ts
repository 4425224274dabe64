import { addMinor, minorsBetween } from "#src/kubernetes/version.ts";
import { addDays, daysBetween, isoDay, mean, median, standardDeviation } from "./days.ts";
import { type PublishedRelease, RELEASED, SCHEDULED } from "./releases.ts";
import { estimatedAround, monthsAfter, monthsUntil, publishedOn, type When } from "./when.ts";

/** When a Kubernetes minor version comes out, and until when upstream patches it. */
export interface Release extends When {
  minor: string;
  /** In words: where the date comes from, or how it was estimated. */
  method: string;
  endOfLife: When;
}

const PUBLISHED = [...RELEASED, ...SCHEDULED];
const RELEASES_A_YEAR = 3;

/** A minor version is patched for about 14 months: 12, and two of maintenance (KEP-1498). */
const SUPPORT_MONTHS = 14;

/**
 * How regular releases are, computed from the published days: the mean gap between two releases and its
 * spread (one standard deviation), and the median distance to the release of the same season a year later.
 */
export const RELEASE_RHYTHM = {
  meanGapDays: mean(gapsBetweenReleases(1)),
  gapSpreadDays: standardDeviation(gapsBetweenReleases(1)),
  yearDays: median(gapsBetweenReleases(RELEASES_A_YEAR)),
};

const METHOD = {
  released: "released (kubernetes/sig-release)",
  scheduled: "the release team's schedule (kubernetes/sig-release)",
  estimated:
    `estimate: three releases a year, in April, August and December; the last published release of the same ` +
    `season plus ${RELEASE_RHYTHM.yearDays} days a year (median of the published ones); margin of two standard ` +
    `deviations of the gap between releases, growing with the square root of the number of releases ahead`,
};

/** Never throws: a version without a published day is estimated, and says so. */
export function releaseOf(minor: string): Release {
  const released = RELEASED.find((release) => release.minor === minor);
  const published = released ?? SCHEDULED.find((release) => release.minor === minor);
  if (published === undefined) {
    const when = estimatedAround(estimatedDay(minor), marginWeeks(minor));
    return { minor, ...when, method: METHOD.estimated, endOfLife: monthsAfter(when, SUPPORT_MONTHS) };
  }
  const when = publishedOn(published.date, released === undefined ? "planned" : "released");
  return {
    minor,
    ...when,
    method: released === undefined ? METHOD.scheduled : METHOD.released,
    endOfLife:
      published.endOfLife === undefined
        ? monthsAfter(when, SUPPORT_MONTHS)
        : publishedOn(published.endOfLife, "announced"),
  };
}

/**
 * The newest minor version that is out at `now`: by published days, and for versions after those once the whole
 * margin of the estimate has passed, so that an old table does not stop the clock.
 */
export function newestReleaseAt(now: Date): string {
  let minor = oldest(RELEASED).minor;
  for (let next = addMinor(minor, 1); isOutAt(next, now); next = addMinor(next, 1)) minor = next;
  return minor;
}

function isOutAt(minor: string, now: Date): boolean {
  const { around, marginWeeks } = releaseOf(minor);
  return addDays(around, (marginWeeks ?? 0) * 7) <= isoDay(now);
}

/**
 * How long setting `KubeProxyIPVS: true` postpones the end of ipvs, in months: from 1.40, which turns it off by
 * default, to 1.43, which removes it (KEP-5495). Three releases at three a year: a year, not the "nine months"
 * of a popular article.
 */
export function gateBuysMonths(): number {
  return monthsUntil(releaseOf("1.43"), new Date(releaseOf("1.40").around));
}

function gapsBetweenReleases(apart: number): number[] {
  return PUBLISHED.slice(apart).map((later, index) =>
    daysBetween(PUBLISHED[index]?.date ?? later.date, later.date),
  );
}

/** The nearest published release of the same season, moved by whole years; older versions are counted back. */
function estimatedDay(minor: string): string {
  const ahead = minorsBetween(newest(PUBLISHED).minor, minor);
  const behind = minorsBetween(minor, oldest(PUBLISHED).minor);
  const years = ahead > 0 ? Math.ceil(ahead / RELEASES_A_YEAR) : -Math.ceil(behind / RELEASES_A_YEAR);
  const index = ahead > 0 ? PUBLISHED.length - 1 + ahead : -behind;
  const sameSeason = PUBLISHED[index - years * RELEASES_A_YEAR];
  if (sameSeason === undefined) throw new Error(`${minor} is not a Kubernetes minor version, such as 1.40`);
  return addDays(sameSeason.date, years * RELEASE_RHYTHM.yearDays);
}

/** Counted from the last version that is out: a scheduled day can slip too. */
function marginWeeks(minor: string): number {
  const steps = Math.max(
    minorsBetween(newest(RELEASED).minor, minor),
    minorsBetween(minor, oldest(RELEASED).minor),
  );
  return Math.round((2 * RELEASE_RHYTHM.gapSpreadDays * Math.sqrt(steps)) / 7);
}

function oldest(releases: readonly PublishedRelease[]): PublishedRelease {
  return releases[0] ?? noReleases();
}

function newest(releases: readonly PublishedRelease[]): PublishedRelease {
  return releases.at(-1) ?? noReleases();
}

function noReleases(): never {
  throw new Error("the table of releases is empty");
}
