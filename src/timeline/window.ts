import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom } from "#src/model/finding.ts";
import { releaseOf } from "./calendar.ts";
import { isoDay } from "./days.ts";
import { eksSupportOf } from "./eks-calendar.ts";
import type { FactId } from "./facts.ts";
import { maxControlPlaneFor } from "./skew.ts";
import { blocksFromOf, ipvsBlocksFrom, stageOf } from "./stages.ts";
import {
  type Applies,
  eksAnnouncementStands,
  firstAddonWithoutIpvs,
  followsDefault,
  runsIpvs,
  type TimelineCluster,
} from "./timeline-cluster.ts";
import { formatWhen, type Period, periodOf } from "./when.ts";

/** The last kube-proxy that works as configured, and until when somebody supports it. */
export interface LastWorking {
  version: string;
  /** Upstream's end of life. */
  supportedUntil: Period;
  /** The provider's own support of that version, where its calendar is known (EKS). */
  providerSupport: { standardUntil: Period; extendedUntil: Period } | null;
  /** How far the control plane alone may go beside it. */
  controlPlaneAtMost: string;
}

/**
 * A cluster's real window: from the first day the breaking version is offered to it, to the last supported day
 * of the last kube-proxy that still works.
 */
export interface MigrationWindow {
  breaks: BlocksFrom;
  offered: Period;
  offeredBy: "upstream" | "eks";
  /** The provider's own announcement of another version, while nothing that was read settles it. */
  announced: BlocksFrom | null;
  /** Null where no version works as configured: ipvs with its gate turned off. */
  lastWorking: LastWorking | null;
  applies: Applies;
  /** `ahead`: the breaking version is not offered yet. `closed`: the last version that works is supported no more. */
  state: "ahead" | "open" | "closed";
  text: string;
  facts: FactId[];
}

interface Break extends BlocksFrom {
  applies: Applies;
  /** What the last version before it still does, to follow "the last". */
  lastThat: string;
  fact: FactId;
}

/** Null where neither the end of ipvs nor the new default breaks this cluster as it is configured. */
export function windowFor(cluster: TimelineCluster, now: Date): MigrationWindow | null {
  const found = ipvsBreak(cluster) ?? defaultBreak(cluster);
  if (found === null) return null;
  const { applies, lastThat, fact, ...breaks } = found;
  const onEks = cluster.provider === "eks";
  const offer = offerOf(cluster, breaks.version, isoDay(now));
  const disputed = eksAnnouncementStands(cluster) ? stageOf("eks-announcement") : null;
  const common = {
    breaks,
    offered: periodOf(offer.when),
    offeredBy: onEks ? "eks" : "upstream",
    announced: disputed && blocksFromOf(disputed),
    applies,
  } as const;

  if (fact === "ipvs-gate-1.37") {
    return {
      ...common,
      lastWorking: null,
      state: "closed",
      text: "no kube-proxy runs ipvs with KubeProxyIPVS set to false: 1.36 and older refuse the gate, 1.37 and newer refuse the mode",
      facts: [fact, "unknown-gate-is-fatal"],
    };
  }
  const last = lastWorkingBefore(cluster, breaks.version);
  const dispute =
    disputed === null
      ? ""
      : `; AWS announces the end of ipvs for ${disputed.version}, against upstream's plan`;
  return {
    ...common,
    lastWorking: last.lastWorking,
    state: !offer.made ? "ahead" : last.lastDay >= isoDay(now) ? "open" : "closed",
    text: `${offer.text}; kube-proxy ${last.lastWorking.version}, the last ${lastThat}, is supported ${last.text}${dispute}`,
    facts: [
      fact,
      "version-skew",
      ...(onEks ? (["eks-support"] as const) : []),
      ...(disputed === null ? [] : [disputed.fact]),
    ],
  };
}

/** A version that the provider's own list does not have is not offered yet, whatever the estimate said. */
function offerOf(cluster: TimelineCluster, version: string, today: string) {
  const onEks = cluster.provider === "eks";
  const versions = onEks ? (cluster.eks?.versions ?? []) : [];
  const onProvider = onEks ? eksSupportOf(version, versions) : null;
  const when = onProvider?.release ?? releaseOf(version);
  const unlisted = versions.length > 0 && onProvider?.source === "estimate";
  const late = unlisted && when.around <= today;
  const made = when.around <= today && !unlisted;
  const about = when.date === undefined ? "about " : "";
  const verb = late ? "is not offered yet" : "is offered";
  const since = late ? "though expected for" : made ? "since" : "from";
  return {
    when,
    made,
    text: `${version} ${verb}${onEks ? " on EKS" : ""}${late ? "," : ""} ${since} ${about}${formatWhen(when)}`,
  };
}

function lastWorkingBefore(
  cluster: TimelineCluster,
  breaking: string,
): { lastWorking: LastWorking; lastDay: string; text: string } {
  const version = addMinor(breaking, -1);
  const endOfLife = releaseOf(version).endOfLife;
  const working = {
    version,
    supportedUntil: periodOf(endOfLife),
    controlPlaneAtMost: maxControlPlaneFor(version),
  };
  const upstream = `upstream until ${formatWhen(endOfLife)}`;
  if (cluster.provider !== "eks") {
    return { lastWorking: { ...working, providerSupport: null }, lastDay: endOfLife.around, text: upstream };
  }
  const { endOfStandard, endOfExtended } = eksSupportOf(version, cluster.eks?.versions);
  const standardOnly = cluster.eks?.supportType === "STANDARD";
  return {
    lastWorking: {
      ...working,
      providerSupport: { standardUntil: periodOf(endOfStandard), extendedUntil: periodOf(endOfExtended) },
    },
    lastDay: (standardOnly ? endOfStandard : endOfExtended).around,
    text: `${upstream} and by EKS until ${formatWhen(endOfStandard)}, with extended support until ${formatWhen(endOfExtended)}`,
  };
}

/** The EKS add-on's schema where it was read, otherwise upstream's plan by the gate; whichever comes first. */
function ipvsBreak(cluster: TimelineCluster): Break | null {
  const applies = runsIpvs(cluster);
  if (applies === null) return null;
  const gate = cluster.effectiveGate;
  const upstream = ipvsBlocksFrom(gate);
  const addon = firstAddonWithoutIpvs(cluster);
  if (addon !== null && compareMinor(addon, upstream.version) < 0) {
    return {
      version: addon,
      component: "kube-proxy",
      certainty: "released",
      applies,
      lastThat: "whose EKS add-on accepts ipvs",
      fact: "eks-addon-schema",
    };
  }
  const lastThat =
    gate === true ? "that runs ipvs with KubeProxyIPVS turned on" : "that runs ipvs by default";
  const fact: FactId = gate === undefined ? "ipvs-off-1.40" : gate ? "ipvs-removed-1.43" : "ipvs-gate-1.37";
  return { ...upstream, applies, lastThat, fact };
}

function defaultBreak(cluster: TimelineCluster): Break | null {
  const applies = followsDefault(cluster);
  if (applies === null) return null;
  const { version, component, certainty, fact } = stageOf("default-nftables-1.40");
  return { version, component, certainty, applies, lastThat: "whose default is iptables", fact };
}
