import { modeOfInstance } from "#src/evidence/data-plane/reading.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { FactId } from "#src/timeline/facts.ts";
import { ipvsBlocksFrom } from "#src/timeline/stages.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { finding, listed, statusOf, unknownFinding } from "../findings.ts";
import { eksFinding } from "./eks.ts";
import { leaveIpvs } from "./fix.ts";
import { earliestEnd, unknownMode } from "./unknown.ts";

/** ipvs ends with kube-proxy 1.40 (KEP-5495, stage 3), with 1.43 where the gate is forced on (stage 4). */
export const proxyMode: Check = {
  id: "proxy-mode",
  title: "kube-proxy in ipvs mode",
  about: "upgrade",
  canBlock: "1.40 (planned); on EKS from the build whose schema drops ipvs; 1.43 with KubeProxyIPVS on",
  evidence: ["kube-proxy's DaemonSets and static pods", "its ConfigMap", "node annotations (k3s, RKE2)"],
  permissions: [
    "list daemonsets",
    "get, list pods in kube-system",
    "get configmaps in kube-system",
    "list nodes",
    "eks:DescribeAddonConfiguration (EKS)",
  ],
  judge(input) {
    const { dataPlane, evidence } = input;
    const onIpvs = ipvsByGate(input);
    const findings = onIpvs.flatMap(({ gate, refs }) => ipvsFindings(input, gate, refs));
    if (onIpvs.length === 0 && dataPlane.mode === "ipvs")
      findings.push(...ipvsFindings(input, undefined, []));
    const uncovered = uncoveredKubeProxies(input);
    if (dataPlane.mode === "unknown" || dataPlane.whyUnknown !== null)
      findings.push(unknownMode(proxyMode, input));
    else if (uncovered !== null) {
      findings.push(
        unknownFinding(proxyMode, input, {
          title: "Other kube-proxies could run in ipvs mode",
          detail: `${evidence.cluster.name}: not every place where a kube-proxy can be found was read.`,
          unread: uncovered,
          fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
          blocksFrom: earliestEnd(input),
          what: "uncovered",
        }),
      );
    }
    return findings.length > 0 ? findings : [notIpvs(input)];
  },
};

type Gate = boolean | undefined;

/** Where kube-proxy runs in ipvs mode, apart by the gate that decides for how long. */
function ipvsByGate({ dataPlane }: CheckInput): { gate: Gate; refs: string[] }[] {
  const groups = new Map<Gate, string[]>();
  for (const instance of dataPlane.running) {
    if (modeOfInstance(instance) !== "ipvs") continue;
    const gate = observedValue(instance.settings)?.featureGates.KubeProxyIPVS;
    groups.set(gate, [...(groups.get(gate) ?? []), instance.ref]);
  }
  return [...groups].map(([gate, refs]) => ({ gate, refs: [...new Set(refs)] }));
}

/** `refs` is empty where ipvs was only seen running. */
function ipvsFindings(input: CheckInput, gate: Gate, refs: string[]): Finding[] {
  const { provider, evidence, dataPlane } = input;
  const upstream = ipvsBlocksFrom(gate);
  const eks = provider.id === "eks" ? eksFinding(proxyMode, input, upstream) : null;
  const blocksFrom = eks?.blocksFrom ?? upstream;
  const { version: from, certainty } = blocksFrom;
  const where =
    refs.length === 0
      ? "ipvs was seen running; its configuration was not read."
      : `${listed(refs)} ${refs.length === 1 ? "is" : "are"} configured for ipvs.`;
  const configured = dataPlane.running
    .filter((instance) => refs.includes(instance.ref))
    .map((instance) => instance.evidence);
  const items = configured.length > 0 ? configured : dataPlane.observations.map((one) => one.evidence);
  const status = statusOf(blocksFrom, input.kubeProxyMinors);
  const ends = `${from}${certainty === "released" ? "" : ` (${certainty})`}`;
  return [
    finding(proxyMode, input, {
      status,
      title:
        status === "blocker"
          ? `kube-proxy is configured for ipvs mode, which it refuses from ${ends} on`
          : `kube-proxy runs in ipvs mode, which ends with kube-proxy ${ends}`,
      detail:
        `${evidence.cluster.name}: ${where} ${gateNote(gate)}${eks?.consequence ?? exits(from)} ${eks?.note ?? ""}`.trim(),
      evidence: items.slice(0, 10),
      fix: leaveIpvs(input, from),
      blocksFrom,
      facts: [...(eks?.blocksFrom ? [] : [factOf(gate)]), ...(eks?.facts ?? [])],
      what: `ipvs/${gate === undefined ? "default" : gate}/${from}`,
    }),
    ...(eks?.unknown ? [eks.unknown] : []),
  ];
}

function exits(from: string): string {
  return (
    `From kube-proxy ${from} on it exits instead of starting: changes of Services and endpoints no longer reach the ` +
    "nodes, and on a new or rebooted node no Service works."
  );
}

function gateNote(gate: Gate): string {
  if (gate === undefined) return "";
  return gate
    ? "The feature gate KubeProxyIPVS is on, which keeps ipvs through 1.42. "
    : "The feature gate KubeProxyIPVS is off, which refuses ipvs as soon as kube-proxy knows the gate. ";
}

function factOf(gate: Gate): FactId {
  if (gate === undefined) return "ipvs-off-1.40";
  return gate ? "ipvs-removed-1.43" : "ipvs-gate-1.37";
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  unset: "no mode, so the default of its version applies",
  mixed: "different modes on different nodes, none of them ipvs",
};

function notIpvs(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  const { name } = evidence.cluster;
  const { mode } = dataPlane;
  const replaced = mode === "none";
  return finding(proxyMode, input, {
    status: "pass",
    title: replaced
      ? `${dataPlane.replacedBy} does Services; kube-proxy's ipvs mode is not used`
      : `kube-proxy does not run in ipvs mode (${mode === "unset" ? "no mode chosen" : mode})`,
    detail: replaced
      ? `${name}: no kube-proxy runs, and ${dataPlane.replacedBy} replaces it. The end of ipvs mode does not touch it.`
      : `${name}: kube-proxy is configured for ${MODE_WORDS[mode] ?? `${mode} mode`}. The end of ipvs mode does not touch it.`,
    evidence: replaced
      ? dataPlane.replacements.map((replacement) => replacement.evidence)
      : dataPlane.running.slice(0, 10).map((instance) => instance.evidence),
    facts: ["ipvs-off-1.40"],
    what: "not-ipvs",
  });
}
