import type { Resource } from "#src/kubernetes/resources.ts";
import { goJson } from "../go-json.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { StoredObject } from "../stored-object.ts";
import { age, type Column, column, NAME_COLUMN } from "./column.ts";
import { eventTable } from "./event-table.ts";
import { nodeTable } from "./node-table.ts";
import { podTable } from "./pod-table.ts";
import { configMapTable, endpointSliceTable, serviceTable } from "./service-tables.ts";
import {
  cronJobTable,
  daemonSetTable,
  deploymentTable,
  jobTable,
  statefulSetTable,
} from "./workload-tables.ts";

export interface TableContext {
  now: Date;
  /** Version of the server, `v1.36.3`: what it prints depends on it. */
  gitVersion: string;
}

/** How the server prints one kind. */
export interface TableLayout {
  columns: readonly Column[];
  cells(object: KubernetesObject, context: TableContext): readonly unknown[];
}

const LAYOUTS: Readonly<Record<string, TableLayout>> = {
  "/nodes": nodeTable,
  "/pods": podTable,
  "/services": serviceTable,
  "/configmaps": configMapTable,
  "/events": eventTable,
  "discovery.k8s.io/endpointslices": endpointSliceTable,
  "apps/daemonsets": daemonSetTable,
  "apps/deployments": deploymentTable,
  "apps/statefulsets": statefulSetTable,
  "batch/jobs": jobTable,
  "batch/cronjobs": cronJobTable,
};

/** Custom kinds whose definition names no columns, and built-in ones without a layout here. */
const nameAndAge: TableLayout = {
  columns: [NAME_COLUMN, column("Age", "date")],
  cells: (object, { now }) => [object.metadata.name ?? "", age(object.metadata.creationTimestamp, now)],
};

/** A Table's column definitions and rows as JSON; `includeObject` as the query has it (default Metadata). */
export function tableParts(
  resource: Resource,
  items: readonly StoredObject[],
  includeObject: string | null,
  context: TableContext,
): { columns: string; rows: string[] } {
  const layout = LAYOUTS[`${resource.group}/${resource.plural}`] ?? nameAndAge;
  const rows = items.map((stored) => {
    const cells = goJson(layout.cells(stored.object, context));
    return `{"cells":${cells},"object":${embedded(stored, includeObject)}}`;
  });
  return { columns: goJson(layout.columns), rows };
}

function embedded(stored: StoredObject, includeObject: string | null): string {
  if (includeObject === "None") return "null";
  return includeObject === "Object" ? stored.objectJson() : stored.metadataJson();
}
