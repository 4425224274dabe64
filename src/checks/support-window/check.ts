import { daysBetween, isoDay } from "#src/timeline/days.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { type MigrationWindow, windowFor } from "#src/timeline/window.ts";
import type { Check } from "../check.ts";
import { finding, missing, unknownFinding } from "../findings.ts";
import { eksSupport } from "./eks.ts";
import { timelineClusterOf } from "./timeline-cluster.ts";
import { upstreamSupport } from "./upstream.ts";

/** An end of support this close is a warning: planning an upgrade takes a quarter. */
const SOON_DAYS = 90;

/** Ends of support, the provider's own upgrade and the window that is left for a migration, as dates. */
export const supportWindow: Check = {
  id: "support-window",
  title: "end of support and the window for a migration",
  // An end of support is no reason not to upgrade: the upgrade is its cure.
  about: "hygiene",
  canBlock: null,
  evidence: [
    "the API server's version",
    "eks:DescribeClusterVersions and DescribeCluster (EKS)",
    "the proxy mode",
  ],
  permissions: ["get /version", "eks:DescribeClusterVersions, eks:DescribeCluster (EKS)"],
  judge(input) {
    const { evidence, minor, provider, now } = input;
    if (minor === null) {
      const unread =
        evidence.version.seen === false
          ? evidence.version
          : missing("no version was told", evidence.version.source);
      return [
        unknownFinding(supportWindow, input, {
          title: "Until when this cluster is supported is unknown",
          detail: `${evidence.cluster.name}: its Kubernetes version was not read.`,
          unread,
          facts: ["release-calendar"],
          what: "version-unread",
        }),
      ];
    }
    const support = provider.id === "eks" ? eksSupport(input, minor) : upstreamSupport(input, minor);
    const window = windowFor(timelineClusterOf(input), now);
    const left = support.ends.map((when) => daysBetween(isoDay(now), when.around));
    const urgent = !support.ownCalendar && left.some((days) => days <= SOON_DAYS);
    const closing = window !== null && window.state !== "ahead" && window.applies === "yes";
    const migrate =
      "Plan the migration inside the window: the findings about a migration name what it needs.";
    const facts = new Set<FactId>([...support.facts, ...(window?.facts ?? [])]);
    return [
      finding(supportWindow, input, {
        status: urgent || closing ? "warning" : window === null && !support.ownCalendar ? "pass" : "info",
        title: support.title,
        detail: `${evidence.cluster.name}: ${support.text}${window === null ? "" : ` ${windowText(window)}`}`,
        evidence: [support.evidence],
        ...(urgent || window !== null ? { fix: urgent ? support.fix : migrate } : {}),
        facts: [...facts],
        what: `${minor}${window === null ? "" : `/${window.breaks.version}`}`,
      }),
    ];
  },
};

/** `ipvs ends with kube-proxy 1.40: 1.40 is offered ...`. */
function windowText(window: MigrationWindow): string {
  const { version } = window.breaks;
  const what = window.facts.includes("default-nftables-1.40")
    ? `The default mode becomes nftables with kube-proxy ${version}`
    : `ipvs ends with kube-proxy ${version}`;
  const maybe = window.applies === "possible" ? " (where a kube-proxy here is configured that way)" : "";
  return `${what}${maybe}: ${window.text.replace(`${version} is `, "")}.`;
}
