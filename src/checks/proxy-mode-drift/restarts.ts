import type { ProxyInstance } from "#src/evidence/data-plane/instance.ts";
import type { ModeObservation } from "#src/evidence/data-plane/observed-mode.ts";
import type { ProxyPod } from "#src/evidence/kubernetes/proxy-pods.ts";
import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding, listed } from "../findings.ts";
import { modesText, type RunningModes } from "../modes.ts";
import { observedModesOf } from "./observed.ts";

/** When the configuration file of an instance last changed; null where it has none, or nobody recorded it. */
function changedAt({ configMap }: ProxyInstance, { evidence }: CheckInput): string | null {
  if (configMap === null) return null;
  const read = evidence.configMaps.get(`${configMap.namespace}/${configMap.name}`);
  return (read && observedValue(read)?.changedAt) ?? null;
}

function podsOf({ namespace, name }: ProxyInstance, { evidence }: CheckInput): ProxyPod[] {
  return (observedValue(evidence.proxyPods) ?? []).filter(
    (pod) => pod.namespace === namespace && pod.workload === name,
  );
}

/** Pods that started before their configuration was changed run with what it was before. */
export function notRestarted(
  check: Pick<Check, "id" | "about">,
  input: CheckInput,
  { inUse }: RunningModes,
): Finding[] {
  const late = input.dataPlane.running.flatMap((instance) => {
    const changed = changedAt(instance, input);
    if (changed === null) return [];
    const pods = podsOf(instance, input).filter(
      ({ startedAt }) => startedAt !== null && Date.parse(startedAt) < Date.parse(changed),
    );
    return pods.length === 0 ? [] : [{ instance, changed, pods }];
  });
  const [first] = late;
  if (!first) return [];
  const pods = late.flatMap((one) => one.pods);
  const { configMap } = first.instance;
  const where = `ConfigMap ${configMap?.namespace}/${configMap?.name}`;
  const observed = observedModesOf(input);
  const sameMode =
    observed.length > 0 && observed.every(({ mode }) => inUse.some((one) => one.mode === mode));
  const { cluster, proxyPods } = input.evidence;
  return [
    finding(check, input, {
      status: sameMode ? "info" : "warning",
      title: `kube-proxy has not restarted since ${where} was changed (${counted(pods.length, "pod")})`,
      detail:
        `${cluster.name}: ${where} was changed ${first.changed}, and ${counted(pods.length, "pod")} of ${listed(late.map(({ instance }) => instance.ref))} ` +
        `started before. kube-proxy takes its configuration up when it starts: these pods run with what it said before. ` +
        (sameMode
          ? `The mode is not part of it: ${modesText(inUse)} was seen running. Other settings change with the next restart, which the upgrade brings.`
          : `The upgrade restarts them: if the mode was changed, it changes then.`),
      evidence: [
        {
          source:
            input.evidence.configMaps.get(`${configMap?.namespace}/${configMap?.name}`)?.source ??
            proxyPods.source,
          path: `${where} metadata.managedFields[].time`,
          excerpt: first.changed,
        },
        ...pods.slice(0, 5).map((pod) => ({
          source: proxyPods.source,
          path: `Pod ${pod.namespace}/${pod.name} start`,
          excerpt: pod.startedAt ?? "",
        })),
      ],
      fix: `Compare the configuration with what is meant, then restart now and watch, not during the upgrade: kubectl -n ${first.instance.namespace} rollout restart daemonset ${first.instance.name}`,
      subjects: pods.map((pod) => pod.node ?? pod.name),
      facts: ["config-read-at-start"],
      what: sameMode ? "not-restarted/same-mode" : "not-restarted",
    }),
  ];
}

/**
 * Whether this kube-proxy is known to run what is configured. Static pods and the arguments in k3s' annotation are
 * the running process' own; a DaemonSet's template is only what its next pods get.
 */
export function takenUp(
  instance: ProxyInstance,
  input: CheckInput,
  observed: readonly ModeObservation[],
): boolean {
  if (observed.length > 0) return true;
  if (instance.origin === "node-args" || instance.origin === "configz") return true;
  const changed = changedAt(instance, input);
  if (instance.kind === "Pod") return instance.configMap === null;
  const pods = podsOf(instance, input);
  return (
    changed !== null &&
    pods.length > 0 &&
    pods.every(({ startedAt }) => startedAt !== null && Date.parse(startedAt) >= Date.parse(changed))
  );
}
