import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { Certainty, Component } from "#src/model/finding.ts";
import { releaseOf } from "./calendar.ts";
import { isoDay } from "./days.ts";
import { EKS_TABLE, type EksVersion, eksSupportOf } from "./eks-calendar.ts";
import { factById } from "./facts.ts";
import { IPVS_STAGES, PROVIDER_STAGES, type Stage, UPSTREAM_STAGES } from "./stages.ts";
import { formatWhen, monthsUntil } from "./when.ts";

/** One line of `proxy-audit timeline`. */
export interface TimelineRow {
  version: string;
  when: string;
  /** How sure the change is; how sure the date is stands in `when`. */
  certainty: Certainty;
  what: string;
  component: Component | "control plane";
  monthsAway: number;
  source: string;
  sourceUrl?: string;
}

export interface TimelineOptions {
  provider?: string | undefined;
  /** Leave out what happens before this version. */
  from?: string | undefined;
  /** What DescribeClusterVersions answered, for `provider: "eks"`. */
  eksVersions?: readonly EksVersion[] | undefined;
}

/** Every stage, upstream's and the provider's, by version; for EKS its calendar too. */
export function timelineRows(options: TimelineOptions, now: Date): TimelineRow[] {
  const stages = [
    ...UPSTREAM_STAGES,
    ...PROVIDER_STAGES.filter((stage) => stage.provider === options.provider),
  ].map((stage) => stageRow(stage, now));
  const calendar = options.provider === "eks" ? eksRows(options, now) : [];
  const from = options.from;
  return [...calendar, ...stages]
    .filter((row) => from === undefined || compareMinor(row.version, from) >= 0)
    .toSorted((a, b) => compareMinor(a.version, b.version));
}

function stageRow(stage: Stage, now: Date): TimelineRow {
  const release = releaseOf(stage.version);
  const fact = factById(stage.fact);
  return {
    version: stage.version,
    when: formatWhen(release),
    certainty: stage.certainty,
    what: stage.what,
    component: stage.component,
    monthsAway: monthsUntil(release, now),
    source: fact?.source ?? stage.fact,
    ...(fact?.sourceUrl === undefined ? {} : { sourceUrl: fact.sourceUrl }),
  };
}

/** Versions that EKS still supports at `now`, up to the last stage of ipvs. */
function eksRows(options: TimelineOptions, now: Date): TimelineRow[] {
  const last = IPVS_STAGES.at(-1)?.version ?? "1.46";
  const rows: TimelineRow[] = [];
  for (
    let minor = EKS_TABLE.versions[0]?.minor ?? last;
    compareMinor(minor, last) <= 0;
    minor = addMinor(minor, 1)
  ) {
    const support = eksSupportOf(minor, options.eksVersions);
    if (support.endOfExtended.around < isoDay(now)) continue;
    rows.push({
      version: minor,
      when: formatWhen(support.release),
      certainty: support.release.certainty,
      what: `EKS offers ${minor}; standard support until ${formatWhen(support.endOfStandard)}, extended until ${formatWhen(support.endOfExtended)}`,
      component: "control plane",
      monthsAway: monthsUntil(support.release, now),
      source: support.method,
      sourceUrl: EKS_TABLE.sourceUrl,
    });
  }
  return rows;
}
