import { listAt, textAt, valueAt } from "../kubernetes-object.ts";
import { AGE_COLUMN, age, column, NAME_COLUMN, wide } from "./column.ts";
import type { TableLayout } from "./table.ts";

export const podTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Ready", "string", "The aggregate readiness state of this pod for accepting traffic."),
    column("Status", "string", "The aggregate status of the containers in this pod."),
    column(
      "Restarts",
      "string",
      "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
    ),
    AGE_COLUMN,
    wide(
      "IP",
      "string",
      "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.",
    ),
    wide("Node", "string", "NodeName indicates in which node this pod is scheduled."),
    wide("Nominated Node"),
    wide("Readiness Gates"),
  ],
  cells: (pod, { now }) => {
    const statuses = listAt(pod, "status.containerStatuses");
    const ready = statuses.filter((status) => valueAt(status, "ready") === true).length;
    const restarts = statuses.reduce<number>(
      (sum, status) => sum + Number(textAt(status, "restartCount") ?? 0),
      0,
    );
    return [
      pod.metadata.name ?? "",
      `${ready}/${listAt(pod, "spec.containers").length}`,
      waitingReason(statuses) ?? textAt(pod, "status.phase") ?? "Unknown",
      String(restarts),
      age(pod.metadata.creationTimestamp, now),
      textAt(pod, "status.podIP") ?? "<none>",
      textAt(pod, "spec.nodeName") ?? "<none>",
      textAt(pod, "status.nominatedNodeName") ?? "<none>",
      "<none>",
    ];
  },
};

/** `CrashLoopBackOff` and the like hide the phase. */
function waitingReason(statuses: readonly unknown[]): string | undefined {
  return statuses
    .map((status) => textAt(status, "state.waiting.reason") ?? textAt(status, "state.terminated.reason"))
    .findLast((reason) => reason !== undefined);
}
