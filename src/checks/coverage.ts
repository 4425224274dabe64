import { kubeProxyNodesOf } from "#src/evidence/data-plane/start.ts";
import type { NotSeen, PartlySeen } from "#src/model/observed.ts";
import type { CheckInput } from "./check.ts";
import { missing } from "./findings.ts";

/**
 * What keeps the kube-proxies that were found from being all of them; null when they are. A DaemonSet that
 * wants a pod on every node, and static pods on every node, leave no room for others: then it does not matter
 * that the other kind was not read.
 */
export function uncoveredKubeProxies({
  evidence,
  dataPlane,
}: CheckInput): NotSeen | PartlySeen<unknown> | null {
  const onNodes = dataPlane.running.some((instance) => instance.kind === "Node");
  if (onNodes && evidence.nodes.seen !== true) return evidence.nodes;
  const unread = [evidence.daemonSets, evidence.systemPods].find((list) => list.seen !== true);
  if (!unread) return null;
  if (evidence.nodes.seen !== true || dataPlane.running.length === 0) return unread;
  const wanted = dataPlane.running.reduce((sum, instance) => sum + (instance.desired ?? 0), 0);
  return wanted >= kubeProxyNodesOf(evidence).length && wanted > 0 ? null : unread;
}

/** Why the mode, or what hangs on it, could not be told: the read that failed where one did. */
export function unreadModeOf({ evidence, dataPlane }: CheckInput): NotSeen {
  for (const { settings } of dataPlane.running) if (settings.seen === false) return settings;
  return missing(dataPlane.whyUnknown ?? "no kube-proxy was found", evidence.daemonSets.source);
}
