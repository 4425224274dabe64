import type { Unread } from "#src/model/cluster-audit.ts";
import type { Observed, Unseen } from "#src/model/observed.ts";
import type { Evidence } from "./evidence.ts";

const IN_PART = "in part: ";

/**
 * What was asked for and not read, or read in part, for the audit's `unread`. A custom kind that is not
 * installed and a ConfigMap that does not exist were read: the answer was no.
 */
export function unreadOf(evidence: Evidence): Unread[] {
  const unread: Unread[] = [];
  const add = (what: string, observed: Observed<unknown>, absentIsAnswer = false) => {
    if (observed.seen === true) return;
    if (observed.seen === false && observed.why === "absent" && absentIsAnswer) return;
    const part = observed.seen === "partial" ? IN_PART : "";
    unread.push({ what, why: observed.why, detail: `${part}${observed.detail}` });
  };
  add("version", evidence.version);
  add("nodes", evidence.nodes);
  add("daemonsets", evidence.daemonSets);
  add("deployments", evidence.deployments);
  add("statefulsets", evidence.statefulSets);
  add("cronjobs", evidence.cronJobs);
  add("jobs", evidence.jobs);
  add("pods kube-system", evidence.systemPods);
  add("pods of kube-proxy", evidence.proxyPods);
  for (const [name, read] of evidence.configMaps) add(`configmap ${name}`, read, true);
  addReferenced(evidence, add);
  add("services", evidence.services);
  add("endpointslices", evidence.endpointSlices);
  add("events IPVSDeprecation", evidence.ipvsEvents);
  add("events CgroupV1", evidence.cgroupEvents);
  add("felixconfigurations", evidence.customKinds.felix, true);
  add("installations.operator.tigera.io", evidence.customKinds.installations, true);
  add("networks.operator.openshift.io", evidence.customKinds.openShiftNetworks, true);
  add("l2advertisements.metallb.io", evidence.customKinds.l2Advertisements, true);
  add("ec2nodeclasses.karpenter.k8s.aws", evidence.customKinds.ec2NodeClasses, true);
  // Logs and metrics add to what is known; where nobody asked for them, nothing is missing.
  if (!notAsked(evidence.proxyLogs)) add("pods/log", evidence.proxyLogs);
  if (!notAsked(evidence.proxyModes)) add("pods/proxy", evidence.proxyModes);
  if (!notAsked(evidence.metrics)) add("kube-proxy metrics", evidence.metrics);
  for (const [part, read] of Object.entries(evidence.eks)) {
    // Not asked for where the cluster was not found through AWS; an add-on that is absent was read.
    if (!notAsked(read)) add(`EKS ${part}`, read, part === "addon");
  }
  return oneReason(unread, evidence);
}

/** ConfigMaps that are read only for what they name: one row for all of them. */
function addReferenced(
  { chainMentions, configMaps }: Evidence,
  add: (what: string, observed: Observed<unknown>, absentIsAnswer: boolean) => void,
): void {
  const failed = [...chainMentions].filter(
    ([name, read]) => read.seen === false && read.why !== "absent" && !configMaps.has(name),
  );
  const [first] = failed;
  if (first) add(`${failed.length} configmaps of workloads, ${first[0]} first`, first[1], true);
}

function notAsked(observed: Observed<unknown>): boolean {
  return observed.seen === false && observed.why === "not-requested";
}

/** A cluster that nothing was read from has one reason, not thirty. */
function oneReason(unread: Unread[], evidence: Evidence): Unread[] {
  const [first] = unread;
  if (!first || !unreachable(evidence) || unread.some((one) => one.why !== first.why)) return unread;
  // The EKS API may have answered where the cluster did not.
  const asked = Object.values(evidence.eks).some((part) => part.seen !== false);
  const inPart = unread.filter((one) => one.detail.startsWith(IN_PART));
  return [{ ...first, what: asked ? "everything of its Kubernetes API" : "everything" }, ...inPart];
}

const NO_ANSWER = new Set<Unseen>(["unreachable", "timeout", "unauthenticated", "invalid"]);

/** True when not one answer came from the cluster: nothing that was asked for was answered, not even with "no". */
export function unreachable(evidence: Evidence): boolean {
  const reads = [evidence.version, evidence.nodes, evidence.daemonSets, evidence.services].filter(
    // Nodes inferred from EKS node groups are not an answer of the cluster.
    (read) => read.source.kind !== "eks",
  );
  return reads.every(
    (read) =>
      // Answers that are all garbage come from something else than a Kubernetes API.
      read.seen === false && NO_ANSWER.has(read.why),
  );
}
