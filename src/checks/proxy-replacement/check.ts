import type { Finding } from "#src/model/finding.ts";
import type { NotSeen, PartlySeen } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies, unreadModeOf } from "../coverage.ts";
import { finding, listed, unknownFinding } from "../findings.ts";

/** Whether something replaces kube-proxy, whether kube-proxy still runs beside it, and who else uses kernel IPVS. */
export const proxyReplacement: Check = {
  id: "proxy-replacement",
  title: "what does Services instead of kube-proxy, and other users of kernel IPVS",
  about: "hygiene",
  canBlock: null,
  evidence: ["cilium-config", "Calico, OpenShift and Antrea configuration", "DaemonSets and static pods"],
  permissions: [
    "get configmaps in kube-system",
    "list installations.operator.tigera.io, felixconfigurations.crd.projectcalico.org, networks.operator.openshift.io",
    "list daemonsets, deployments, statefulsets",
    "get, list pods in kube-system",
  ],
  judge(input) {
    return [judgeReplacement(input), ...otherUsers(input)];
  },
};

function judgeReplacement(input: CheckInput): Finding {
  const { dataPlane, evidence } = input;
  const { name } = evidence.cluster;
  const signals = dataPlane.replacements.map((replacement) => replacement.evidence);
  if (dataPlane.conflict) {
    return finding(proxyReplacement, input, {
      status: "warning",
      title: `${dataPlane.replacedBy} replaces kube-proxy, and kube-proxy still runs`,
      detail:
        `${name}: both program Services on the same nodes (${listed(dataPlane.running.map((instance) => instance.ref))}). ` +
        "Traffic can pass through either, and kube-proxy's rules stay after it stops.",
      evidence: [...signals, ...dataPlane.running.slice(0, 5).map((instance) => instance.evidence)],
      fix:
        "Remove kube-proxy rather than migrate it: delete its DaemonSet and ConfigMap, then run kube-proxy --cleanup or " +
        `reboot each node.${dataPlane.otherIpvsUsers.length > 0 ? " Prefer the reboot here: --cleanup deletes all IPVS services of the node, also those of other software." : ""}`,
      facts: ["ipvs-flush-all"],
      what: `conflict/${dataPlane.replacedBy}`,
    });
  }
  if (dataPlane.replacedBy !== null) {
    const uncovered = uncoveredKubeProxies(input);
    if (uncovered) {
      return unknownFinding(proxyReplacement, input, {
        title: `${dataPlane.replacedBy} replaces kube-proxy; whether kube-proxy still runs beside it is unknown`,
        detail: `${name}: a kube-proxy that still runs programs Services on the same nodes.`,
        unread: uncovered,
        fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
        what: `replaced/${dataPlane.replacedBy}/unread`,
      });
    }
    return finding(proxyReplacement, input, {
      status: "pass",
      title: `${dataPlane.replacedBy} replaces kube-proxy`,
      detail: `${name}: ${dataPlane.replacements.map((one) => `${one.says.ref} is ${one.says.says}`).join("; ")}. No kube-proxy runs beside it.`,
      evidence: signals,
      what: `replaced/${dataPlane.replacedBy}`,
    });
  }
  if (dataPlane.running.length === 0) {
    return unknownFinding(proxyReplacement, input, {
      title: "Neither a kube-proxy nor a replacement was found",
      detail: `Something does Services in ${name}, but no object that was read shows what.`,
      unread: unreadModeOf(input),
      fix: "Look on a node which process does it: kube-proxy as a host service, or a CNI that replaces it.",
      what: "nothing-found",
    });
  }
  const unread = unreadSignal(input);
  if (unread !== null) {
    return unknownFinding(proxyReplacement, input, {
      title: "kube-proxy does Services; whether something replaces it as well was not read in full",
      detail: `${name}: ${listed(dataPlane.running.map((instance) => instance.ref))}.`,
      unread,
      fix: "Give the auditor the missing permission, or add what is missing to the dump. proxy-audit doctor names it.",
      what: "kube-proxy/unread",
    });
  }
  return finding(proxyReplacement, input, {
    status: "pass",
    title: "kube-proxy does Services; nothing that replaces it was found",
    detail: `${name}: ${listed(dataPlane.running.map((instance) => instance.ref))}.`,
    evidence: dataPlane.running.slice(0, 5).map((instance) => instance.evidence),
    what: "kube-proxy",
  });
}

/** A sign of a replacement that could not be read; one that is not there, or not in a dump, is none. */
function unreadSignal({ evidence }: CheckInput): NotSeen | PartlySeen<unknown> | null {
  const { felix, installations, openShiftNetworks } = evidence.customKinds;
  const cilium = [...evidence.configMaps].filter(([name]) => /\/(cilium-config|antrea-config)/.test(name));
  const signals = [
    ...cilium.map(([, read]) => read),
    felix,
    installations,
    openShiftNetworks,
    evidence.daemonSets,
  ];
  for (const read of signals) {
    if (read.seen !== true && read.why !== "absent" && read.why !== "not-requested") return read;
  }
  return null;
}

function otherUsers(input: CheckInput): Finding[] {
  const users = input.dataPlane.otherIpvsEvidence;
  if (users.length === 0) return [];
  const names = [...new Set(users.map((user) => user.name))];
  return [
    finding(proxyReplacement, input, {
      status: "info",
      title: `${listed(names)} ${users.length === 1 ? "uses" : "use"} kernel IPVS without kube-proxy`,
      detail:
        `${input.evidence.cluster.name}: ${listed(users.map((user) => user.ref))}. The end of kube-proxy's ipvs mode does not touch ` +
        `${users.length === 1 ? "it" : "them"}. But kube-proxy --cleanup, and every start of kube-proxy in nftables mode, delete all IPVS ` +
        `services of the node, so ${users.length === 1 ? "it has to make its own" : "they have to make theirs"} again.`,
      evidence: users.map((user) => user.evidence),
      fix: `Keep the ip_vs kernel modules on the nodes, also after kube-proxy has left ipvs. Test on one node what ${listed(names)} ${users.length === 1 ? "does" : "do"} when kube-proxy starts in nftables mode.`,
      facts: ["ipvs-flush-all"],
      what: `other-users/${users
        .map((user) => user.name)
        .toSorted()
        .join(",")}`,
    }),
  ];
}
