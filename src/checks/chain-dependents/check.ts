import type { ChainMention } from "#src/evidence/kubernetes/chain-mentions.ts";
import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed, unknownFinding } from "../findings.ts";
import { answerWithoutModes, modesText, passByMode, type RunningModes, runs, standingOf } from "../modes.ts";
import { upgradeFromDefault } from "../nftables-use.ts";
import { type Dependent, type Dependents, dependentsOf } from "./dependents.ts";

/** kube-proxy's chains, its ipvs interface and the IPVS tools are no API, and nftables mode has none of them. */
export const chainDependents: Check = {
  id: "chain-dependents",
  title: "workloads that reach into kube-proxy's rules",
  about: "migration",
  canBlock: null,
  evidence: [
    "commands, arguments and literal environment variables of every workload",
    "ConfigMaps that workloads of kube-system and the other granted namespaces are configured by",
  ],
  permissions: [
    "list daemonsets, deployments, statefulsets, cronjobs, jobs",
    "get, list pods in kube-system",
    "get configmaps in kube-system, openshift-kube-proxy, calico-system, tigera-operator, kube-flannel, metallb-system",
  ],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(chainDependents, input, standing, ["chains-are-not-api"])];
    const own = new Set(input.dataPlane.otherIpvsEvidence.map(({ ref }) => ref));
    const dependents = dependentsOf(input.evidence, own);
    const named = having(dependents.found, ({ kind }) => kind !== "nat-hook");
    const hooks = having(dependents.found, ({ kind }) => kind === "nat-hook");
    const findings: Finding[] = [];
    if (named.length > 0) findings.push(byName(input, standing, named));
    if (hooks.length > 0) findings.push(beside(input, standing, hooks));
    if (dependents.unread.length > 0) findings.push(unsearched(input, dependents));
    if (findings.length > 0) return findings;
    return [
      passByMode(chainDependents, input, standing, {
        title: "No workload names kube-proxy's chains, kube-ipvs0 or ipvsadm",
        detail:
          `${input.evidence.cluster.name}: commands, arguments and literal variables of all workloads were searched, and the ConfigMaps ` +
          "of those in kube-system and the other namespaces that the auditor may read. Scripts inside images do not show.",
        evidence: [{ source: input.evidence.daemonSets.source, excerpt: "no mention" }],
        facts: ["chains-are-not-api"],
        what: "none",
      }),
    ];
  },
};

function having(found: readonly Dependent[], wanted: (mention: ChainMention) => boolean): Dependent[] {
  return found.flatMap((dependent) => {
    const mentions = dependent.mentions.filter(wanted);
    const excerpt = mentions.map(({ text }) => text).join(", ");
    return mentions.length === 0
      ? []
      : [{ ...dependent, mentions, evidence: { ...dependent.evidence, excerpt } }];
  });
}

function subjectsOf(dependents: readonly Dependent[]): string[] {
  return dependents.map(({ where, evidence }) => `${where}: ${evidence.excerpt}`);
}

function byName(input: CheckInput, standing: RunningModes, named: Dependent[]): Finding {
  const { evidence, dataPlane } = input;
  const ipvsOnly = named.every(({ mentions }) => mentions.every(({ kind }) => kind === "ipvs"));
  const already = standing.inUse.every(({ mode }) => mode === "nftables");
  // What only ipvs mode makes is not there today either where no node runs it.
  const stale = already || (ipvsOnly && !runs(standing, "ipvs"));
  const words = [...new Set(named.flatMap(({ mentions }) => mentions.map(({ text }) => text)))];
  const others = dataPlane.otherIpvsUsers.length > 0;
  return finding(chainDependents, input, {
    status: "warning",
    ...(stale ? { about: "hygiene" as const } : {}),
    title: stale
      ? `${counted(named.length, "place reaches", "places reach")} into rules that kube-proxy does not have in ${modesText(standing.inUse)} mode (${listed(words, 2)})`
      : `${counted(named.length, "place reaches", "places reach")} into kube-proxy's rules (${listed(words, 2)}), which nftables mode does not have`,
    detail:
      `${evidence.cluster.name}: ${listed(named.map(({ where }) => where))} name${named.length === 1 ? "s" : ""} ${listed(words)}. ` +
      "kube-proxy's chains and sets are no API; in nftables mode they do not exist, there is no kube-ipvs0, and ipvsadm lists nothing " +
      "of kube-proxy's. A rule that jumps there fails to load, a check that looks there finds nothing." +
      (others
        ? ` Keep ipvsadm and the ip_vs modules for ${listed(dataPlane.otherIpvsUsers)}, which ${dataPlane.otherIpvsUsers.length === 1 ? "uses" : "use"} kernel IPVS apart from kube-proxy.`
        : ""),
    evidence: named.slice(0, 5).map((dependent) => dependent.evidence),
    fix: "Ask the owner of each place what it reaches into kube-proxy's rules for. Rules: give them a chain or an nft table of their own. Checks: use kube-proxy's healthz (port 10256) and metrics. To look at rules: nft list table ip kube-proxy.",
    ...(stale ? {} : upgradeFromDefault(standing)),
    subjects: subjectsOf(named),
    facts: ["chains-are-not-api"],
    what: stale ? "named/stale" : "named",
  });
}

function beside(input: CheckInput, standing: RunningModes, hooks: Dependent[]): Finding {
  const already = standing.inUse.every(({ mode }) => mode === "nftables");
  return finding(chainDependents, input, {
    status: "info",
    ...(already ? { about: "hygiene" as const } : {}),
    title: `${counted(hooks.length, "place")} add${hooks.length === 1 ? "s" : ""} rules to the nodes' nat table beside kube-proxy's`,
    detail:
      `${input.evidence.cluster.name}: ${listed(hooks.map(({ where }) => where))} put${hooks.length === 1 ? "s" : ""} rules into a chain of the nat ` +
      "table. They stay when kube-proxy moves to nftables, but they no longer stand before or after kube-proxy's in one list: which of " +
      "the two translates a packet first can change.",
    evidence: hooks.slice(0, 5).map((dependent) => dependent.evidence),
    fix: `${already ? "Test" : "Move one node first and test"} what each rule beside kube-proxy's is for: for a redirected port, connect to it from a pod, from the node and from outside.`,
    ...(already ? {} : upgradeFromDefault(standing)),
    subjects: subjectsOf(hooks),
    facts: ["chains-are-not-api"],
    what: "nat-hook",
  });
}

function unsearched(input: CheckInput, { unread }: Dependents): Finding {
  const [first] = unread;
  return unknownFinding(chainDependents, input, {
    title: "Not everything that could name kube-proxy's chains was searched",
    detail: `${input.evidence.cluster.name}: ${counted(unread.length, "read")} failed or ${unread.length === 1 ? "was" : "were"} not made; the first is given.`,
    unread: first ?? {
      seen: false,
      why: "not-requested",
      detail: "",
      source: input.evidence.daemonSets.source,
    },
    facts: ["chains-are-not-api"],
    what: "unsearched",
  });
}
