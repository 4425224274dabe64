import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import { daysBetween, isoDay } from "#src/timeline/days.ts";
import { EKS_TABLE, type EksSupport, eksSupportOf } from "#src/timeline/eks-calendar.ts";
import { maxControlPlaneFor } from "#src/timeline/skew.ts";
import type { When } from "#src/timeline/when.ts";
import type { CheckInput } from "../check.ts";
import { dayOf, type Support } from "./support.ts";
import { timelineClusterOf } from "./timeline-cluster.ts";
import { versionEvidence } from "./version-evidence.ts";

/**
 * EKS: standard support, then extended support unless the cluster's policy is STANDARD, then AWS moves the control
 * plane to the next version by itself and leaves kube-proxy and nodes as they are (EKS user guide).
 */
export function eksSupport(input: CheckInput, minor: string): Support {
  const { evidence, now, kubeProxyMinors } = input;
  const { eks } = timelineClusterOf(input);
  const support = eksSupportOf(minor, eks?.versions);
  const { endOfStandard, endOfExtended } = support;
  const policy = eks?.supportType;
  const upgrade = policy === "STANDARD" ? endOfStandard : endOfExtended;
  const inExtended = daysBetween(isoDay(now), endOfStandard.around) < 0;
  const next = addMinor(minor, 1);
  const ends =
    policy === "STANDARD"
      ? `standard support of ${minor} ends ${dayOf(endOfStandard)}, and the cluster's upgrade policy is STANDARD.`
      : `standard support of ${minor} ${inExtended ? "ended" : "ends"} ${dayOf(endOfStandard)}; extended support, which costs more, ends ${dayOf(endOfExtended)}.`;
  const automatic = `From ${dayOf(upgrade)} on, without notice, AWS moves this control plane to ${next}; kube-proxy stays as it is${skewNote(kubeProxyMinors[0], next)}.`;
  const unread =
    policy === undefined
      ? ` The upgrade policy was not read: with STANDARD it is ${dayOf(endOfStandard)} already.`
      : "";
  const fromApi = support.source === "provider API";
  return {
    title: `EKS ${minor}: ${titleOf(policy, inExtended, endOfStandard, upgrade)}`,
    text: `${ends} ${automatic}${unread} Dates: ${sourceText(support)}.`,
    evidence: fromApi
      ? {
          source: evidence.eks.versions.source,
          path: `clusterVersions[${minor}]`,
          excerpt: `endOfStandardSupportDate ${endOfStandard.around}, endOfExtendedSupportDate ${endOfExtended.around}`,
        }
      : versionEvidence(input, minor),
    ends: inExtended && policy !== "STANDARD" ? [endOfStandard, endOfExtended] : [upgrade, endOfStandard],
    fix: `Upgrade the control plane yourself before ${dayOf(inExtended ? upgrade : endOfStandard)}: aws eks update-cluster-version --name ${evidence.cluster.name} --kubernetes-version ${next}; then kube-proxy, the other add-ons and the nodes.`,
    ownCalendar: false,
    facts: ["eks-support"],
  };
}

function titleOf(
  policy: string | undefined,
  inExtended: boolean,
  endOfStandard: When,
  upgrade: When,
): string {
  const moved = `AWS upgrades it by itself from ${dayOf(upgrade)} on`;
  if (policy === "STANDARD") return `${moved}, at the end of standard support`;
  return inExtended
    ? `in extended support since ${dayOf(endOfStandard)}, ${moved}`
    : `standard support until ${dayOf(endOfStandard)}, ${moved}`;
}

/** kube-proxy may be three minor versions older than the control plane, no more. */
function skewNote(oldest: string | undefined, next: string): string {
  if (oldest === undefined) return "";
  const most = maxControlPlaneFor(oldest);
  return compareMinor(next, most) > 0 ? `, and ${oldest} is too old beside ${next} (at most ${most})` : "";
}

function sourceText({ source, method }: EksSupport): string {
  if (source === "provider API") return "DescribeClusterVersions of this account's EKS";
  if (source === "estimate") return method;
  return `the built-in table, read ${EKS_TABLE.readAt} (${EKS_TABLE.source}); EKS itself was not asked`;
}
