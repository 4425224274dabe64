import type { Finding } from "#src/model/finding.ts";
import type { Check, CheckInput } from "../check.ts";
import { uncoveredKubeProxies } from "../coverage.ts";
import { finding, listed, missing, unknownFinding } from "../findings.ts";

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
      fix: `Remove kube-proxy rather than migrate it: delete its DaemonSet and ConfigMap, then run kube-proxy --cleanup or reboot each node.`,
      what: `conflict/${dataPlane.replacedBy}`,
    });
  }
  if (dataPlane.replacedBy !== null) {
    const uncovered = uncoveredKubeProxies(input);
    if (uncovered) {
      return unknownFinding(proxyReplacement, input, {
        title: `${dataPlane.replacedBy} replaces kube-proxy; whether kube-proxy still runs beside it is unknown`,
        detail: "",
        unread: uncovered,
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
      unread: missing(dataPlane.whyUnknown ?? "nothing was found", evidence.daemonSets.source),
      fix: "Look on a node which process does it: kube-proxy as a host service, or a CNI that replaces it.",
      what: "nothing-found",
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

function otherUsers(input: CheckInput): Finding[] {
  const users = input.dataPlane.otherIpvsEvidence;
  if (users.length === 0) return [];
  return [
    finding(proxyReplacement, input, {
      status: "info",
      title: `${listed(users.map((user) => user.name))} ${users.length === 1 ? "uses" : "use"} kernel IPVS without kube-proxy`,
      detail:
        `${input.evidence.cluster.name}: ${listed(users.map((user) => user.ref))}. The end of kube-proxy's ipvs mode does not touch ` +
        `${users.length === 1 ? "it" : "them"}: the ip_vs kernel modules must stay, also after kube-proxy has left ipvs.`,
      evidence: users.map((user) => user.evidence),
      fix: "Keep the ip_vs modules on the nodes, and leave these out of any clean-up with ipvsadm --clear.",
      what: `other-users/${users
        .map((user) => user.name)
        .toSorted()
        .join(",")}`,
    }),
  ];
}
