import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { finding, unknownFinding } from "../findings.ts";
import { passByMode, type RunningModes, standingOf } from "../modes.ts";
import { nftablesUseOf, upgradeFromDefault, withoutModes } from "../nftables-use.ts";
import { THRESHOLDS, type Threshold } from "./thresholds.ts";

/** How many Services and EndpointSlices there are, against the counts at which a first nftables sync was slow. */
export const serviceScale: Check = {
  id: "service-scale",
  title: "the number of Services",
  about: "migration",
  canBlock: null,
  evidence: ["number of Services", "number of EndpointSlices"],
  permissions: ["list services", "list endpointslices.discovery.k8s.io"],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running") {
      return [
        withoutModes(serviceScale, input, standing, "whether the number of Services matters", [
          "sync-5000-services",
        ]),
      ];
    }
    const { services, endpointSlices } = input.evidence;
    const counts = {
      Services: observedValue(services)?.count ?? 0,
      EndpointSlices: observedValue(endpointSlices)?.count ?? 0,
    };
    const reached = THRESHOLDS.find(({ what, from }) => counts[what] >= from);
    if (reached?.status === "warning") return [large(input, standing, reached, counts)];
    const unread = services.seen === true ? endpointSlices : services;
    if (unread.seen !== true) {
      const what = services.seen === true ? "EndpointSlices" : "Services";
      return [
        unknownFinding(serviceScale, input, {
          title: `How many ${what} there are is unknown`,
          detail: `${input.evidence.cluster.name}: from about 5,000 on, a node's first nftables sync took minutes elsewhere.`,
          unread,
          fix: "Count Services and EndpointSlices: kubectl get services -A --no-headers | wc -l; kubectl get endpointslices -A --no-headers | wc -l",
          facts: ["sync-5000-services"],
          what: `unread/${what}`,
        }),
      ];
    }
    if (reached) return [large(input, standing, reached, counts)];
    return [
      passByMode(serviceScale, input, standing, {
        title: `${number(counts.Services)} Services: no slow first sync is known at this size`,
        detail: `${input.evidence.cluster.name}: ${number(counts.Services)} Services and ${number(counts.EndpointSlices)} EndpointSlices.`,
        evidence: countEvidence(input, counts),
        facts: ["sync-5000-services"],
        what: "small",
      }),
    ];
  },
};

type Counts = Record<Threshold["what"], number>;

function large(input: CheckInput, standing: RunningModes, reached: Threshold, counts: Counts): Finding {
  const { name } = input.evidence.cluster;
  const running = nftablesUseOf(standing) === "running";
  const least = input.evidence.services.seen === "partial" ? "at least " : "";
  return finding(serviceScale, input, {
    status: reached.status,
    about: running ? "hygiene" : "migration",
    title:
      reached.status === "warning"
        ? `${least}${number(counts[reached.what])} ${reached.what}: a node's first nftables sync can take minutes`
        : `${least}${number(counts.Services)} Services: measure the first nftables sync on one node`,
    detail:
      `${name}: ${least}${number(counts.Services)} Services and ${number(counts.EndpointSlices)} EndpointSlices. Elsewhere, ${reached.reported}. ` +
      "Until a node's first sync is done its Services do not work, and every new node pays it again, so an autoscaler makes it " +
      `matter more. Later syncs are short.${goingBack(input)}`,
    evidence: countEvidence(input, counts),
    fix: running
      ? "Watch kubeproxy_sync_full_proxy_rules_duration_seconds on new nodes, and keep pods off a node until its first sync is done."
      : "Run kube-proxy 1.36 or newer, switch one drained node first, and read how long it takes: kubectl -n kube-system logs POD | grep 'SyncProxyRules complete' (with --v=2).",
    ...(running ? {} : upgradeFromDefault(standing)),
    facts: [reached.fact, "sync-cold-start"],
    what: reached.status === "warning" ? "large" : "medium",
  });
}

/** iptables mode is no way out on Bottlerocket 1.34 and newer: its iptables runs on the nftables backend. */
function goingBack({ evidence }: CheckInput): string {
  const slow = (observedValue(evidence.nodes) ?? []).some((node) => {
    const variant = /^Bottlerocket.*\(aws-k8s-1\.(\d+)/.exec(node.osImage);
    return variant !== null && Number(variant[1]) >= 34;
  });
  return slow
    ? " iptables mode is slower here too: Bottlerocket's variants of 1.34 and newer took 5 to 6 times longer for its syncs (bottlerocket#4762)."
    : "";
}

function countEvidence({ evidence }: CheckInput, counts: Counts): Finding["evidence"] {
  return [
    { source: evidence.services.source, path: "number of Services", excerpt: String(counts.Services) },
    {
      source: evidence.endpointSlices.source,
      path: "number of EndpointSlices",
      excerpt:
        evidence.endpointSlices.seen === false ? evidence.endpointSlices.why : String(counts.EndpointSlices),
    },
  ];
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
