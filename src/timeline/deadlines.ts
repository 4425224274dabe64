import { minorsBetween } from "#src/kubernetes/version.ts";
import type { Certainty, Component } from "#src/model/finding.ts";
import { releaseOf } from "./calendar.ts";
import { eksSupportOf } from "./eks-calendar.ts";
import type { FactId } from "./facts.ts";
import { kubeadmRefusesKernel } from "./kubeadm-kernels.ts";
import { type Stage, stageOf } from "./stages.ts";
import {
  type Applies,
  eksAnnouncementStands,
  firstAddonWithoutIpvs,
  followsDefault,
  runningVersion,
  runsIpvs,
  type TimelineCluster,
} from "./timeline-cluster.ts";
import { monthsUntil, type Period, periodOf, type When } from "./when.ts";

export interface Deadline {
  what: string;
  /** The version at which it happens; for an end of support, the version whose support ends. */
  version: string;
  component: Component | "control plane";
  /** The upstream release of that version, or the end of support. */
  when: Period;
  /** From when the provider offers that version, where its calendar is known (EKS). */
  offered: Period | null;
  /** How sure the change is; how sure the date is stands in `when`. */
  certainty: Certainty;
  /** `possible`: the mode could not be told, or nodes differ. */
  applies: Applies;
  /** Minor releases from the cluster's version; zero or less is in force; null for ends of support. */
  releasesAway: number | null;
  /** From now to `offered`, or `when` where that is null; negative once it has passed. */
  monthsAway: number;
  facts: FactId[];
}

/** Providers whose clusters are upgraded with kubeadm, so that its preflight check matters. */
const UPGRADED_BY_KUBEADM = new Set(["kubeadm", "kubespray"]);

/** The upstream and provider deadlines that apply to this cluster as it is configured, earliest first. */
export function deadlinesFor(cluster: TimelineCluster, now: Date): Deadline[] {
  return [...versionDeadlines(cluster, now), ...supportDeadlines(cluster, now)]
    .toSorted((a, b) => (a.around < b.around ? -1 : a.around > b.around ? 1 : 0))
    .map(({ around: _, ...deadline }) => deadline);
}

type DatedDeadline = Deadline & { around: string };
type AppliedStage = Stage & { applies: Applies };

function versionDeadlines(cluster: TimelineCluster, now: Date): DatedDeadline[] {
  return [...gateStages(cluster), ...ipvsStages(cluster), ...defaultStages(cluster), ...nodeStages(cluster)]
    .filter((stage, index, all) => all.findIndex((other) => other.fact === stage.fact) === index)
    .map((stage) => {
      const release = releaseOf(stage.version);
      const offered =
        cluster.provider === "eks" ? eksSupportOf(stage.version, cluster.eks?.versions).release : null;
      const running = runningVersion(cluster, stage.component);
      return {
        what: stage.what,
        version: stage.version,
        component: stage.component,
        when: periodOf(release),
        offered: offered === null ? null : periodOf(offered),
        certainty: stage.certainty,
        applies: stage.applies,
        releasesAway: running === null ? null : minorsBetween(running, stage.version),
        monthsAway: monthsUntil(offered ?? release, now),
        facts: [stage.fact],
        around: (offered ?? release).around,
      };
    });
}

function ipvsStages(cluster: TimelineCluster): AppliedStage[] {
  const applies = runsIpvs(cluster);
  if (applies === null) return [];
  const upstream: FactId[] = {
    unset: ["ipvs-off-1.40", "ipvs-removed-1.43"] satisfies FactId[],
    true: ["ipvs-removed-1.43"] satisfies FactId[],
    false: ["ipvs-gate-1.37"] satisfies FactId[],
  }[gateWord(cluster)];
  return [...upstream.map(stageOf), ...eksIpvsStages(cluster)].map((stage) => ({ ...stage, applies }));
}

/** A schema that was read and does not list ipvs is a fact; AWS's announcement stands until one was read. */
function eksIpvsStages(cluster: TimelineCluster): Stage[] {
  const stages: Stage[] = eksAnnouncementStands(cluster) ? [stageOf("eks-announcement")] : [];
  const without = firstAddonWithoutIpvs(cluster);
  if (without !== null) {
    stages.push({
      version: without,
      component: "kube-proxy",
      what: `the EKS kube-proxy add-on of ${without} does not accept ipvs mode`,
      certainty: "released",
      fact: "eks-addon-schema",
    });
  }
  return stages;
}

/** A gate that is set is refused in every mode: `true` once it is locked off, any value once it is gone. */
function gateStages(cluster: TimelineCluster): AppliedStage[] {
  const facts: Record<"unset" | "true" | "false", FactId[]> = {
    unset: [],
    true: ["ipvs-removed-1.43", "ipvs-gate-gone-1.46"],
    false: ["ipvs-gate-gone-1.46"],
  };
  return facts[gateWord(cluster)].map((fact) => ({ ...stageOf(fact), applies: "yes" }));
}

function defaultStages(cluster: TimelineCluster): AppliedStage[] {
  const applies = followsDefault(cluster);
  return applies === null ? [] : [{ ...stageOf("default-nftables-1.40"), applies }];
}

function nodeStages(cluster: TimelineCluster): AppliedStage[] {
  const facts: FactId[] = cluster.containerd1 === true ? ["containerd1-1.38"] : [];
  if (UPGRADED_BY_KUBEADM.has(cluster.provider)) {
    const refusedFrom = (cluster.kernels ?? []).map((kernel) => kubeadmRefusesKernel(kernel)?.version);
    if (refusedFrom.includes("1.32")) facts.push("kubeadm-kernels-1.32");
    if (refusedFrom.includes("1.39")) facts.push("kubeadm-kernels-1.39");
  }
  return facts.map((fact) => ({ ...stageOf(fact), applies: "yes" }));
}

function gateWord(cluster: TimelineCluster): "unset" | "true" | "false" {
  if (cluster.effectiveGate === undefined) return "unset";
  return cluster.effectiveGate ? "true" : "false";
}

function supportDeadlines(cluster: TimelineCluster, now: Date): DatedDeadline[] {
  const version = cluster.kubernetesVersion;
  if (version === null) return [];
  const end = (when: When, what: string, fact: FactId): DatedDeadline => ({
    what,
    version,
    component: "control plane",
    when: periodOf(when),
    offered: null,
    certainty: when.certainty,
    applies: "yes",
    releasesAway: null,
    monthsAway: monthsUntil(when, now),
    facts: [fact],
    around: when.around,
  });
  if (cluster.provider !== "eks") {
    return [end(releaseOf(version).endOfLife, `upstream stops patching ${version}`, "release-calendar")];
  }
  const { endOfStandard, endOfExtended } = eksSupportOf(version, cluster.eks?.versions);
  const upgraded =
    "AWS upgrades the control plane by itself at any time after, and leaves kube-proxy as it is";
  const standard = `EKS standard support of ${version} ends`;
  if (cluster.eks?.supportType === "STANDARD") {
    return [end(endOfStandard, `${standard}; ${upgraded}`, "eks-support")];
  }
  return [
    end(endOfStandard, `${standard}; extended support costs more`, "eks-support"),
    end(endOfExtended, `EKS extended support of ${version} ends; ${upgraded}`, "eks-support"),
  ];
}
