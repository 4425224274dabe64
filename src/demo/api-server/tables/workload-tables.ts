import { type KubernetesObject, listAt, textAt, valueAt } from "../kubernetes-object.ts";
import { AGE_COLUMN, age, column, labelText, NAME_COLUMN, wide } from "./column.ts";
import type { TableLayout } from "./table.ts";

const CONTAINER_COLUMNS = [
  wide("Containers", "string", "Names of each container in the template."),
  wide("Images", "string", "Images referenced by each container in the template."),
];

export const daemonSetTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Desired", "integer"),
    column("Current", "integer"),
    column("Ready", "integer"),
    column("Up-to-date", "integer"),
    column("Available", "integer"),
    column("Node Selector"),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wide("Selector"),
  ],
  cells: (daemonSet, { now }) => [
    daemonSet.metadata.name ?? "",
    count(daemonSet, "status.desiredNumberScheduled"),
    count(daemonSet, "status.currentNumberScheduled"),
    count(daemonSet, "status.numberReady"),
    count(daemonSet, "status.updatedNumberScheduled"),
    count(daemonSet, "status.numberAvailable"),
    labelText(valueAt(daemonSet, "spec.template.spec.nodeSelector")),
    age(daemonSet.metadata.creationTimestamp, now),
    ...containers(daemonSet, "spec.template.spec"),
    labelText(valueAt(daemonSet, "spec.selector.matchLabels")),
  ],
};

export const deploymentTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Ready", "string", "Number of the pod with ready state"),
    column("Up-to-date"),
    column("Available"),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wide("Selector"),
  ],
  cells: (deployment, { now }) => [
    deployment.metadata.name ?? "",
    `${count(deployment, "status.readyReplicas")}/${count(deployment, "spec.replicas")}`,
    count(deployment, "status.updatedReplicas"),
    count(deployment, "status.availableReplicas"),
    age(deployment.metadata.creationTimestamp, now),
    ...containers(deployment, "spec.template.spec"),
    labelText(valueAt(deployment, "spec.selector.matchLabels")),
  ],
};

export const statefulSetTable: TableLayout = {
  columns: [NAME_COLUMN, column("Ready"), AGE_COLUMN, ...CONTAINER_COLUMNS],
  cells: (statefulSet, { now }) => [
    statefulSet.metadata.name ?? "",
    `${count(statefulSet, "status.readyReplicas")}/${count(statefulSet, "spec.replicas")}`,
    age(statefulSet.metadata.creationTimestamp, now),
    ...containers(statefulSet, "spec.template.spec"),
  ],
};

export const jobTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Status"),
    column("Completions"),
    column("Duration"),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wide("Selector"),
  ],
  cells: (job, { now }) => {
    const finished = textAt(job, "status.completionTime");
    return [
      job.metadata.name ?? "",
      finished === undefined ? "Running" : "Complete",
      `${count(job, "status.succeeded")}/${count(job, "spec.completions")}`,
      age(textAt(job, "status.startTime"), finished === undefined ? now : new Date(finished)),
      age(job.metadata.creationTimestamp, now),
      ...containers(job, "spec.template.spec"),
      labelText(valueAt(job, "spec.selector.matchLabels")),
    ];
  },
};

export const cronJobTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Schedule"),
    column("Timezone"),
    column("Suspend"),
    column("Active", "integer"),
    column("Last Schedule"),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wide("Selector"),
  ],
  cells: (cronJob, { now }) => {
    const last = textAt(cronJob, "status.lastScheduleTime");
    return [
      cronJob.metadata.name ?? "",
      textAt(cronJob, "spec.schedule") ?? "",
      textAt(cronJob, "spec.timeZone") ?? "<none>",
      valueAt(cronJob, "spec.suspend") === true ? "True" : "False",
      listAt(cronJob, "status.active").length,
      last === undefined ? "<none>" : age(last, now),
      age(cronJob.metadata.creationTimestamp, now),
      ...containers(cronJob, "spec.jobTemplate.spec.template.spec"),
      "<none>",
    ];
  },
};

function count(object: KubernetesObject, path: string): number {
  return Number(textAt(object, path) ?? 0);
}

function containers(object: KubernetesObject, podSpec: string): [string, string] {
  const all = listAt(object, `${podSpec}.containers`);
  const joined = (field: string): string => all.map((container) => textAt(container, field) ?? "").join(",");
  return [joined("name"), joined("image")];
}
