import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import { addMinor, compareMinor } from "#src/kubernetes/version.ts";
import type { BlocksFrom, Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import { ipvsBlocksFrom } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { counted, finding, listed, missing, statusOf, unknownFinding } from "../findings.ts";
import { kernelsOf } from "../nodes.ts";
import { eksFinding } from "./eks.ts";

/** ipvs ends with kube-proxy 1.40 (KEP-5495, stage 3), with 1.43 where the gate is forced on (stage 4). */
export const proxyMode: Check = {
  id: "proxy-mode",
  title: "kube-proxy in ipvs mode",
  about: "upgrade",
  canBlock: "1.40",
  evidence: ["kube-proxy's DaemonSets and static pods", "its ConfigMap", "node annotations (k3s, RKE2)"],
  permissions: [
    "list daemonsets",
    "get, list pods in kube-system",
    "get configmaps in kube-system",
    "list nodes",
    "eks:DescribeAddonConfiguration (EKS)",
  ],
  judge(input) {
    const { dataPlane } = input;
    const onIpvs = ipvsByGate(input);
    const findings = onIpvs.flatMap(({ gate, refs }) => ipvsFindings(input, gate, refs));
    const uncovered = uncoveredKubeProxies(input);
    const observedIpvs = onIpvs.length === 0 && dataPlane.mode === "ipvs";
    if (observedIpvs) findings.push(...ipvsFindings(input, undefined, ["seen running"]));
    if (dataPlane.mode === "unknown" || dataPlane.whyUnknown !== null) findings.push(unknownMode(input));
    else if (uncovered !== null) {
      findings.push(
        unknownFinding(proxyMode, input, {
          title: "Other kube-proxies could run in ipvs mode",
          detail: "Not every place where a kube-proxy can be found was read.",
          unread: uncovered,
          blocksFrom: earliest(input),
          what: "uncovered",
        }),
      );
    }
    return findings.length > 0 ? findings : [notIpvs(input)];
  },
};

/** Where kube-proxy runs in ipvs mode, apart by the gate that decides for how long. */
function ipvsByGate({ dataPlane }: CheckInput): { gate: boolean | undefined; refs: string[] }[] {
  const groups = new Map<boolean | undefined, string[]>();
  for (const instance of dataPlane.running) {
    if (modeOfInstance(instance) !== "ipvs") continue;
    const gate = observedValue(instance.settings)?.featureGates.KubeProxyIPVS;
    groups.set(gate, [...(groups.get(gate) ?? []), instance.ref]);
  }
  return [...groups].map(([gate, refs]) => ({ gate, refs }));
}

function ipvsFindings(input: CheckInput, gate: boolean | undefined, refs: string[]): Finding[] {
  const { provider, evidence, dataPlane } = input;
  const name = evidence.cluster.name;
  const upstream = ipvsBlocksFrom(gate);
  const eks = provider.id === "eks" ? eksFinding(proxyMode, input, upstream) : null;
  const blocksFrom = eks?.blocksFrom ?? upstream;
  const from = blocksFrom.version;
  const evidenceItems = dataPlane.running
    .filter((instance) => refs.includes(instance.ref))
    .slice(0, 10)
    .map((instance) => instance.evidence);
  const forced = gate === true ? " because KubeProxyIPVS is forced on" : "";
  const plan = blocksFrom.certainty === "released" ? "" : ` (${blocksFrom.certainty})`;
  return [
    finding(proxyMode, input, {
      status: statusOf(blocksFrom, input.kubeProxyMinors),
      title: `kube-proxy runs in ipvs mode, which ends with kube-proxy ${from}${plan}`,
      detail:
        `${name}: ${listed(refs)} ${refs.length === 1 ? "is" : "are"} configured for ipvs. ` +
        `From kube-proxy ${from} on${forced} it exits instead of starting, and Services stop working on every node ` +
        `that restarts it. ${eks?.note ?? ""}`.trim(),
      evidence: evidenceItems.length > 0 ? evidenceItems : dataPlane.observations.map((one) => one.evidence),
      fix: fixOf(input, from),
      blocksFrom,
      facts: [
        gate === true ? "ipvs-removed-1.43" : "ipvs-off-1.40",
        ...(eks ? (["eks-announcement"] as const) : []),
      ],
      what: `ipvs/${gate === undefined ? "default" : gate}/${from}`,
    }),
    ...(eks?.unknown ? [eks.unknown] : []),
  ];
}

/** The first sentence is the next action by itself; the rest says how. */
function fixOf(input: CheckInput, until: string): string {
  const { provider, dataPlane, evidence } = input;
  const { name } = evidence.cluster;
  if (dataPlane.replacedBy !== null) {
    return `Remove kube-proxy from ${name} instead of migrating it. ${dataPlane.replacedBy} already does its work.`;
  }
  const change = provider.change.replaceAll("{mode}", "nftables").replaceAll("CLUSTER", name);
  if (provider.modeChange === "provider-forbids") {
    return `Plan a new cluster in nftables mode before kube-proxy ${until}. ${provider.name} forbids the change on a live one: ${change}.`;
  }
  const old = kernelsOf(input).tooOld.length;
  const first =
    old > 0
      ? `Give ${counted(old, "node")} a kernel of 5.13 or newer, then leave ipvs for nftables before kube-proxy ${until}.`
      : `Leave ipvs for nftables before kube-proxy ${until}.`;
  return `${first} Set it in ${provider.modeSetIn}: ${change}`;
}

function unknownMode(input: CheckInput): Finding {
  const { dataPlane, evidence, provider } = input;
  const unread = missing(dataPlane.whyUnknown ?? "the mode could not be told", evidence.daemonSets.source);
  const seenRunning = dataPlane.observedMode === null ? "" : ` Seen running: ${dataPlane.observedMode}.`;
  return unknownFinding(proxyMode, input, {
    title:
      dataPlane.managedBy === "provider"
        ? "The provider runs kube-proxy on the nodes, and its mode is not visible"
        : "The proxy mode of this cluster is unknown",
    detail:
      `Whether ${evidence.cluster.name} runs ipvs cannot be told.${seenRunning}` +
      (dataPlane.managedBy === "provider"
        ? ` It is not yours to migrate: ${provider.name} upgrades it with the node. An approver can accept this.`
        : ""),
    unread,
    fix:
      dataPlane.managedBy === "provider"
        ? `Nothing to migrate: accept this unknown once ${provider.name} has said which mode its nodes run.`
        : "Give the auditor the missing permission. proxy-audit doctor names it; on a node, this tells: curl -s http://127.0.0.1:10249/proxyMode",
    blocksFrom: earliest(input),
    what: `unknown/${dataPlane.managedBy ?? "self"}`,
  });
}

/** The earliest version at which what was not read could stop kube-proxy. */
function earliest({ provider, kubeProxyMinors }: CheckInput): BlocksFrom {
  if (provider.id !== "eks") return ipvsBlocksFrom(undefined);
  const next = addMinor(kubeProxyMinors.at(-1) ?? "1.35", 1);
  const version = compareMinor(next, "1.36") < 0 ? "1.36" : next;
  return compareMinor(version, "1.40") < 0
    ? { version, component: "kube-proxy", certainty: "announced" }
    : ipvsBlocksFrom(undefined);
}

function notIpvs(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  const { name } = evidence.cluster;
  const replaced = dataPlane.mode === "none";
  const mode = dataPlane.mode === "unset" ? "no mode, so the default" : `${dataPlane.mode} mode`;
  return finding(proxyMode, input, {
    status: "pass",
    title: replaced
      ? `${dataPlane.replacedBy} does Services; kube-proxy's ipvs mode is not used`
      : `kube-proxy does not run in ipvs mode (${dataPlane.mode})`,
    detail: replaced
      ? `${name}: no kube-proxy runs, and ${dataPlane.replacedBy} replaces it. The end of ipvs mode does not touch it.`
      : `${name}: kube-proxy is configured for ${mode}. The end of ipvs mode does not touch it.`,
    evidence: replaced
      ? dataPlane.replacements.map((replacement) => replacement.evidence)
      : dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
    facts: ["ipvs-off-1.40"],
    what: "not-ipvs",
  });
}
