import {
  DescribeAddonCommand,
  DescribeNodegroupCommand,
  ListInsightsCommand,
  ListNodegroupsCommand,
} from "@aws-sdk/client-eks";
import type { z } from "zod";
import type { EksAccess } from "#src/aws/eks-access.ts";
import { asked, readPages } from "#src/aws/pages.ts";
import { createLimiter } from "#src/kubernetes/limiter.ts";
import type { Failed, Outcome } from "#src/kubernetes/outcome.ts";
import { notSeen, type Observed, partlySeen, type Source, seen } from "#src/model/observed.ts";
import { readAddonSchemas } from "./addon-schemas.ts";
import {
  eksAddonAnswer,
  eksClusterAnswer,
  eksClusterVersionsAnswer,
  eksInsightsAnswer,
  eksNodegroupAnswer,
  eksNodegroupNamesAnswer,
} from "./answers.ts";
import type { EksAddon, EksEvidence, EksInsight, EksNodegroup } from "./evidence.ts";
import { parsed, parsedPages } from "./parsed.ts";

/** Node groups that are described at a time: throttles count per account and Region, and are not published. */
const AT_A_TIME = 3;

/**
 * What the EKS API says about one cluster, without asking its Kubernetes API. Nothing here throws for what AWS can
 * answer: each part that failed says why by itself.
 */
export async function collectEks(access: EksAccess): Promise<EksEvidence> {
  const { published, described, region } = access;
  const through = { client: access.client(), region, now: access.now() };
  const [addon, nodegroups, insights, addonSchemas, versions] = await Promise.all([
    readAddon(access),
    readNodegroups(access),
    readInsights(access),
    readAddonSchemas(published, through),
    published.clusterVersions(through),
  ]);
  return {
    cluster: parsedObserved(described, eksClusterAnswer),
    addon,
    nodegroups,
    insights,
    addonSchemas,
    versions: parsedPages(versions, eksClusterVersionsAnswer),
  };
}

/** A cluster without the add-on answers ResourceNotFoundException: its kube-proxy is self-managed. */
async function readAddon(access: EksAccess): Promise<Observed<EksAddon>> {
  const source = sourceOf(access, "DescribeAddon kube-proxy");
  const command = new DescribeAddonCommand({ clusterName: access.name, addonName: "kube-proxy" });
  const answer = parsed(await asked(source.ref, () => access.client().send(command)), eksAddonAnswer);
  if (answer.ok) return seen(answer.value.addon, source);
  // The same error code says that the cluster is gone, which tells nothing about its kube-proxy.
  const gone = answer.why === "absent" && /no cluster found/i.test(answer.detail);
  return notSeen(gone ? "invalid" : answer.why, answer.detail, source);
}

async function readNodegroups(access: EksAccess): Promise<Observed<EksNodegroup[]>> {
  const source = sourceOf(access, "ListNodegroups");
  const pages = await readPages<unknown>(async (nextToken) => {
    const answer = await access.client().send(
      new ListNodegroupsCommand({
        clusterName: access.name,
        ...(nextToken === undefined ? {} : { nextToken }),
      }),
    );
    return { items: [answer], nextToken: answer.nextToken };
  }, source);
  const names = parsedPages(pages, eksNodegroupNamesAnswer);
  if (names.seen === false) return names;
  const limited = createLimiter(AT_A_TIME);
  const outcomes = await Promise.all(names.value.map((name) => limited(() => readNodegroup(access, name))));
  const nodegroups = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  // One that was deleted since it was listed is not missing.
  const failure = outcomes.find((outcome): outcome is Failed => !outcome.ok && outcome.why !== "absent");
  if (failure !== undefined) return partlySeen(nodegroups, failure.why, failure.detail, source);
  return names.seen === true
    ? seen(nodegroups, source)
    : partlySeen(nodegroups, names.why, names.detail, source);
}

async function readNodegroup(access: EksAccess, nodegroupName: string): Promise<Outcome<EksNodegroup>> {
  const command = new DescribeNodegroupCommand({ clusterName: access.name, nodegroupName });
  const { ref } = sourceOf(access, `DescribeNodegroup ${nodegroupName}`);
  return parsed(await asked(ref, () => access.client().send(command)), eksNodegroupAnswer);
}

/** AWS's own judgements, kept apart from ours; none of them is about the proxy mode (EKS user guide, insights). */
async function readInsights(access: EksAccess): Promise<Observed<EksInsight[]>> {
  const pages = await readPages<unknown>(
    async (nextToken) => {
      const answer = await access.client().send(
        new ListInsightsCommand({
          clusterName: access.name,
          ...(nextToken === undefined ? {} : { nextToken }),
        }),
      );
      return { items: [answer], nextToken: answer.nextToken };
    },
    sourceOf(access, "ListInsights"),
  );
  return parsedPages(pages, eksInsightsAnswer);
}

function parsedObserved<T>(observed: Observed<unknown>, schema: z.ZodType<T>): Observed<T> {
  if (observed.seen === false) return observed;
  const outcome = parsed({ ok: true, value: observed.value }, schema);
  return outcome.ok
    ? { ...observed, value: outcome.value }
    : notSeen(outcome.why, outcome.detail, observed.source);
}

function sourceOf(access: EksAccess, call: string): Source {
  return { kind: "eks", ref: `${call} (${access.region}/${access.name})`, at: access.now().toISOString() };
}
