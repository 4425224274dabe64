import type { Finding } from "#src/model/finding.ts";
import { observedValue } from "#src/model/observed.ts";
import type { Check, CheckInput } from "../check.ts";
import { counted, finding } from "../findings.ts";

/** Reasons of a waiting container that do not pass by themselves; ContainerCreating and PodInitializing do. */
const FAILING: ReadonlySet<string> = new Set([
  "CrashLoopBackOff",
  "CreateContainerConfigError",
  "CreateContainerError",
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "RunContainerError",
]);

/** kube-proxy pods that do not start: the node's rules stay as the last process left them. */
export function crashing(check: Pick<Check, "id" | "about">, input: CheckInput): Finding[] {
  const pods = observedValue(input.evidence.proxyPods) ?? [];
  const failing = pods.filter(({ waiting }) => waiting !== null && FAILING.has(waiting));
  const [first] = failing;
  if (!first) return [];
  const reasons = [...new Set(failing.map(({ waiting }) => waiting ?? ""))].toSorted().join(", ");
  const crashes = reasons.includes("CrashLoopBackOff");
  return [
    finding(check, input, {
      status: "warning",
      title: `kube-proxy does not start on ${counted(failing.length, "node")} (${reasons})`,
      detail:
        `${input.evidence.cluster.name}: of ${counted(pods.length, "kube-proxy pod")} that were looked at, ${failing.length} wait with ${reasons}. ` +
        "Services on these nodes stay as the last process left them, and new nodes have none. An upgrade restarts kube-proxy everywhere: what stops these stops the others then.",
      evidence: failing.slice(0, 10).map((pod) => ({
        source: input.evidence.proxyPods.source,
        path: `Pod ${pod.namespace}/${pod.name} status.containerStatuses[${pod.container}].state.waiting.reason`,
        excerpt: pod.waiting ?? "",
      })),
      fix: `Read why before anything else: kubectl -n ${first.namespace} ${crashes ? "logs" : "describe pod"} ${first.name}${crashes ? ` -c ${first.container} --previous` : ""}`,
      subjects: failing.map((pod) => pod.node ?? `${pod.namespace}/${pod.name}`),
      facts: ["config-read-at-start"],
      what: `not-starting/${reasons}`,
    }),
  ];
}
