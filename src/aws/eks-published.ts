import {
  DescribeAddonConfigurationCommand,
  DescribeAddonVersionsCommand,
  DescribeClusterVersionsCommand,
  type EKSClient,
} from "@aws-sdk/client-eks";
import type { Outcome } from "#src/kubernetes/outcome.ts";
import type { Observed, Source } from "#src/model/observed.ts";
import { asked, readPages } from "./pages.ts";

/** Through which Region's client to ask, and when. */
export interface AskedThrough {
  client: EKSClient;
  region: string;
  now: Date;
}

/** What EKS publishes to everybody, as it answers: the same for every cluster and account, so it is asked for once. */
export interface EksPublished {
  /** Pages of DescribeAddonVersions for kube-proxy. */
  addonVersions(through: AskedThrough): Promise<Observed<unknown[]>>;
  /** DescribeAddonConfiguration of one kube-proxy build. */
  addonConfiguration(addonVersion: string, through: AskedThrough): Promise<Outcome<unknown>>;
  /** Pages of DescribeClusterVersions. */
  clusterVersions(through: AskedThrough): Promise<Observed<unknown[]>>;
}

/** A new kube-proxy build is published about once a week. */
const KEEP_MS = 60 * 60_000;

/** Answers are kept for an hour, and those about one build, which never change, for good; failures are not kept. */
export function createEksPublished(): EksPublished {
  const configurations = new Map<string, Promise<Outcome<unknown>>>();

  async function addonConfiguration(
    addonVersion: string,
    { client }: AskedThrough,
  ): Promise<Outcome<unknown>> {
    const known = configurations.get(addonVersion) ?? readConfiguration(client, addonVersion);
    configurations.set(addonVersion, known);
    const outcome = await known;
    if (!outcome.ok && configurations.get(addonVersion) === known) configurations.delete(addonVersion);
    return outcome;
  }

  return {
    addonVersions: keptFor(KEEP_MS, readAddonVersions),
    addonConfiguration,
    clusterVersions: keptFor(KEEP_MS, readClusterVersions),
  };
}

function readAddonVersions({ client, now }: AskedThrough): Promise<Observed<unknown[]>> {
  return readPages(
    async (nextToken) => {
      const answer = await client.send(
        new DescribeAddonVersionsCommand({
          addonName: "kube-proxy",
          ...(nextToken === undefined ? {} : { nextToken }),
        }),
      );
      return { items: [answer], nextToken: answer.nextToken };
    },
    sourceOf("DescribeAddonVersions kube-proxy", now),
  );
}

function readClusterVersions({ client, now }: AskedThrough): Promise<Observed<unknown[]>> {
  return readPages(
    async (nextToken) => {
      const answer = await client.send(
        new DescribeClusterVersionsCommand({
          includeAll: true,
          ...(nextToken === undefined ? {} : { nextToken }),
        }),
      );
      return { items: [answer], nextToken: answer.nextToken };
    },
    sourceOf("DescribeClusterVersions", now),
  );
}

function readConfiguration(client: EKSClient, addonVersion: string): Promise<Outcome<unknown>> {
  return asked(`DescribeAddonConfiguration kube-proxy ${addonVersion}`, () =>
    client.send(new DescribeAddonConfigurationCommand({ addonName: "kube-proxy", addonVersion })),
  );
}

type Reading<T> = (through: AskedThrough) => Promise<Observed<T>>;

/** Kept by Region: a build reaches Regions on different days. */
function keptFor<T>(milliseconds: number, read: Reading<T>): Reading<T> {
  const kept = new Map<string, { until: number; answer: Promise<Observed<T>> }>();
  return async (through) => {
    const known = kept.get(through.region);
    const time = through.now.getTime();
    if (known !== undefined && time < known.until) return known.answer;
    const entry = { until: time + milliseconds, answer: read(through) };
    kept.set(through.region, entry);
    const answer = await entry.answer;
    if (answer.seen !== true && kept.get(through.region) === entry) kept.delete(through.region);
    return answer;
  };
}

function sourceOf(ref: string, now: Date): Source {
  return { kind: "eks", ref, at: now.toISOString() };
}
