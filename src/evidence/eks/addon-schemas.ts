import type { AskedThrough, EksPublished } from "#src/aws/eks-published.ts";
import type { Outcome } from "#src/kubernetes/outcome.ts";
import { notSeen, type Observed, partlySeen, type Source, seen } from "#src/model/observed.ts";
import { newestBuilds } from "./addon-builds.ts";
import { eksAddonConfigurationAnswer, eksAddonVersionsAnswer } from "./answers.ts";
import type { EksAddonSchema } from "./evidence.ts";
import { parsed, parsedPages } from "./parsed.ts";

/** AWS's release notes announce that ipvs goes with 1.36: older builds have nothing to tell. */
const FIRST_MINOR = "1.35";

/** What the newest published kube-proxy build of each Kubernetes minor accepts: by that, a claim becomes a fact. */
export async function readAddonSchemas(
  published: EksPublished,
  through: AskedThrough,
): Promise<Observed<EksAddonSchema[]>> {
  const builds = parsedPages(await published.addonVersions(through), eksAddonVersionsAnswer);
  if (builds.seen === false) return builds;
  const newest = newestBuilds(builds.value, FIRST_MINOR);
  if (newest.length === 0) {
    const detail = `no kube-proxy build of ${FIRST_MINOR} or newer is published in ${through.region}`;
    return notSeen(builds.seen === true ? "absent" : builds.why, detail, builds.source);
  }
  const outcomes = await Promise.all(
    newest.map(async (build) =>
      parsed(await published.addonConfiguration(build, through), eksAddonConfigurationAnswer),
    ),
  );
  return together(outcomes, builds, {
    kind: "eks",
    ref: "DescribeAddonConfiguration kube-proxy",
    at: through.now.toISOString(),
  });
}

function together(
  outcomes: readonly Outcome<EksAddonSchema>[],
  builds: Observed<string[]>,
  source: Source,
): Observed<EksAddonSchema[]> {
  const value = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => !outcome.ok) ?? (builds.seen === "partial" ? builds : undefined);
  if (failure === undefined) return seen(value, source);
  return value.length === 0
    ? notSeen(failure.why, failure.detail, source)
    : partlySeen(value, failure.why, failure.detail, source);
}
