import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, unknownFinding } from "../findings.ts";
import { iptablesCounter } from "../iptables-counter.ts";
import {
  answerWithoutModes,
  type ModeInUse,
  modeEvidence,
  modesText,
  passByMode,
  type RunningModes,
  standingOf,
} from "../modes.ts";
import { upgradeFromDefault } from "../nftables-use.ts";
import { explicitLoopback, iptablesServesLocalhost } from "./loopback.ts";
import { servedByNftables } from "./nftables.ts";
import { localhostUsersOf } from "./users.ts";

const COUNTER = "kubeproxy_iptables_localhost_nodeports_accepted_packets_total";

/** iptables mode serves NodePorts on 127.0.0.1; ipvs never did, and nftables does so only when told to. */
export const nodePortLocalhost: Check = {
  id: "nodeport-localhost",
  title: "NodePorts on localhost",
  about: "migration",
  canBlock: null,
  evidence: [
    "kube-proxy's counter of localhost NodePort packets (iptables mode only)",
    "Services with node ports, and images pulled from localhost",
    "iptables.localhostNodePorts, nodePortAddresses and feature gates in kube-proxy's configuration",
  ],
  permissions: [
    "list services",
    "list daemonsets, deployments, statefulsets, cronjobs, jobs",
    "get configmaps in kube-system",
    "kube-proxy's metrics in Prometheus (optional)",
  ],
  judge(input) {
    const standing = standingOf(input);
    if (standing.kind !== "running")
      return [answerWithoutModes(nodePortLocalhost, input, standing, ["nodeport-localhost-gate"])];
    const serving = standing.inUse.filter(
      ({ mode, settings }) => mode === "iptables" && (settings === null || iptablesServesLocalhost(settings)),
    );
    const findings = servedByNftables(nodePortLocalhost, input, standing);
    if (serving.length > 0) findings.push(leavingIptables(input, standing, serving));
    return findings.length > 0 ? findings : [quiet(input, standing)];
  },
};

function leavingIptables(input: CheckInput, standing: RunningModes, serving: ModeInUse[]): Finding {
  const { evidence } = input;
  const { name } = evidence.cluster;
  const counter = iptablesCounter(evidence, COUNTER, (metrics) => metrics.localhostNodePortPackets);
  const users = localhostUsersOf(evidence);
  const listing = serving.flatMap(({ settings, ref }) =>
    (settings === null ? [] : explicitLoopback(settings)).map((address) => ({ ref, address })),
  );
  const proofs = [
    ...(counter.total > 0
      ? [`kube-proxy counted ${counted(counter.total, "packet")} to NodePorts on localhost`]
      : []),
    ...(users.length > 0
      ? [`${counted(users.length, "user is", "users are")} seen in workloads and Services`]
      : []),
    ...(listing.length > 0
      ? [`nodePortAddresses lists loopback (${[...new Set(listing.map((one) => one.address))].join(", ")})`]
      : []),
  ];
  if (proofs.length === 0) return unseen(input, standing, counter);
  return finding(nodePortLocalhost, input, {
    status: "warning",
    title: "NodePorts on localhost are used, and nftables mode does not serve them unless it is told to",
    detail:
      `${name}: ${proofs.join("; ")}. iptables mode serves NodePorts on 127.0.0.1 by default. Under nftables whoever ` +
      "connects there gets no answer, and images from there cannot be pulled any more.",
    evidence: [
      ...counter.evidence.filter(() => counter.total > 0),
      ...users.slice(0, 5).map((user) => user.evidence),
      ...listing.slice(0, 3).map(({ ref, address }) => ({
        ...(serving[0] ?? { evidence: { source: evidence.daemonSets.source } }).evidence,
        path: `${ref} nodePortAddresses`,
        excerpt: address,
      })),
    ],
    fix: fixOf(input),
    ...upgradeFromDefault(standing),
    ...(users.length > 0 ? { subjects: users.map(({ who }) => who) } : {}),
    facts: ["nodeport-localhost-gate", "nodeport-localhost-ipvs", "nodeport-keywords"],
    what: "used",
  });
}

/** The add-on's schema has neither nodePortAddresses nor featureGates. */
function fixOf({ provider }: CheckInput): string {
  const elsewhere =
    "Give what uses NodePorts on localhost another address (the Service's name, the node's own address, or a pod with a hostPort)";
  if (provider.id === "eks")
    return `${elsewhere}: the EKS add-on has no setting for NodePorts on localhost, a self-managed kube-proxy has.`;
  return (
    `${elsewhere}, or move to nftables with kube-proxy 1.37 or newer and set nodePortAddresses: [primary, localhost] and ` +
    "featureGates: {KubeProxyNFTablesLocalhostNodePorts: true} (alpha in 1.37, on by default from 1.38, TCP only; the word all is not " +
    `enough, and kube-proxy 1.36 refuses the word localhost on a roll-back). Where: beside the mode, in ${provider.modeSetIn}.`
  );
}

function unseen(
  input: CheckInput,
  standing: RunningModes,
  counter: ReturnType<typeof iptablesCounter>,
): Finding {
  const { evidence } = input;
  const { name } = evidence.cluster;
  if (evidence.services.seen === true && evidence.services.value.ofInterest.every(withoutNodePort)) {
    return finding(nodePortLocalhost, input, {
      status: "pass",
      title: "No Service has a node port, on localhost or elsewhere",
      detail: `${name}: ${evidence.services.value.count} Services were read and none has a node port.`,
      evidence: [{ source: evidence.services.source, excerpt: "no nodePort" }],
      facts: ["nodeport-localhost-gate"],
      what: "no-nodeports",
    });
  }
  if (counter.incomplete === null) {
    return finding(nodePortLocalhost, input, {
      status: "pass",
      title: "Nothing has used NodePorts on localhost since kube-proxy started",
      detail: `${name}: every node's kube-proxy counted no packet to a NodePort on localhost since it was started. A job that runs rarely can still come.`,
      evidence: counter.evidence,
      facts: ["nodeport-localhost-gate"],
      what: "measured-zero",
    });
  }
  return unknownFinding(nodePortLocalhost, input, {
    title: "Whether anything uses NodePorts on localhost was not measured",
    detail:
      `${name}: kube-proxy serves NodePorts on 127.0.0.1 in iptables mode, nftables mode does not by default. No image and no ` +
      "known Service shows a user; only kube-proxy's counter can tell.",
    unread: counter.incomplete,
    fix: `Give kube-proxy's metrics with --prometheus URL, or look on a few nodes: curl -s http://127.0.0.1:10249/metrics | grep ${COUNTER}`,
    ...upgradeFromDefault(standing),
    facts: ["nodeport-localhost-gate"],
    what: "not-measured",
  });
}

function withoutNodePort({ nodePorts }: { nodePorts: readonly unknown[] }): boolean {
  return nodePorts.length === 0;
}

function quiet(input: CheckInput, standing: RunningModes): Finding {
  const { name } = input.evidence.cluster;
  const nftablesOnly = standing.inUse.every(({ mode }) => mode === "nftables");
  if (nftablesOnly) {
    return passByMode(nodePortLocalhost, input, standing, {
      title: "nftables mode runs already, and nothing that was read wants NodePorts on localhost in vain",
      detail: `${name}: what a migration changes about NodePorts on localhost has happened, or is served as set up (KubeProxyNFTablesLocalhostNodePorts and loopback in nodePortAddresses).`,
      evidence: modeEvidence(standing.inUse),
      facts: ["nodeport-localhost-gate"],
      what: "nftables",
    });
  }
  const ipvsOnly = standing.inUse.every(({ mode }) => mode === "ipvs");
  const users = ipvsOnly ? localhostUsersOf(input.evidence) : [];
  const already =
    users.length === 0
      ? ""
      : ` ${counted(users.length, "image or Service", "images or Services")} point at localhost all the same: they do not work by NodePort today.`;
  return passByMode(nodePortLocalhost, input, standing, {
    title: ipvsOnly
      ? "ipvs mode never served NodePorts on localhost: leaving it loses none"
      : "kube-proxy's settings leave localhost out: a migration takes nothing away there",
    detail: ipvsOnly
      ? `${name}: in ipvs mode NodePorts do not answer on 127.0.0.1, and kube-proxy has no counter for them. Moving to nftables takes nothing away.${already}`
      : `${name}: kube-proxy runs ${modesText(standing.inUse)} mode, with iptables.localhostNodePorts off or nodePortAddresses without loopback.`,
    evidence: modeEvidence(standing.inUse),
    facts: ["nodeport-localhost-ipvs", "nodeport-localhost-gate"],
    what: ipvsOnly ? "ipvs" : "not-served",
  });
}
