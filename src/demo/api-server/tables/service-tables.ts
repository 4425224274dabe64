import { type KubernetesObject, listAt, textAt, valueAt } from "../kubernetes-object.ts";
import { AGE_COLUMN, age, column, labelText, NAME_COLUMN, wide } from "./column.ts";
import type { TableLayout } from "./table.ts";

export const serviceTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Type"),
    column("Cluster-IP"),
    column("External-IP"),
    column("Port(s)"),
    AGE_COLUMN,
    wide("Selector"),
  ],
  cells: (service, { now }) => [
    service.metadata.name ?? "",
    textAt(service, "spec.type") ?? "ClusterIP",
    textAt(service, "spec.clusterIP") ?? "<none>",
    externalAddress(service),
    listAt(service, "spec.ports").map(portText).join(",") || "<none>",
    age(service.metadata.creationTimestamp, now),
    labelText(valueAt(service, "spec.selector")),
  ],
};

export const configMapTable: TableLayout = {
  columns: [NAME_COLUMN, column("Data"), AGE_COLUMN],
  cells: (configMap, { now }) => [
    configMap.metadata.name ?? "",
    Object.keys({ ...(configMap.data ?? {}), ...(configMap.binaryData ?? {}) }).length,
    age(configMap.metadata.creationTimestamp, now),
  ],
};

export const endpointSliceTable: TableLayout = {
  columns: [NAME_COLUMN, column("AddressType"), column("Ports"), column("Endpoints"), AGE_COLUMN],
  cells: (slice, { now }) => [
    slice.metadata.name ?? "",
    textAt(slice, "addressType") ?? "",
    listAt(slice, "ports")
      .map((port) => textAt(port, "port") ?? "*")
      .join(",") || "<unset>",
    listAt(slice, "endpoints")
      .flatMap((endpoint) => listAt(endpoint, "addresses"))
      .join(",") || "<unset>",
    age(slice.metadata.creationTimestamp, now),
  ],
};

function externalAddress(service: KubernetesObject): string {
  const type = textAt(service, "spec.type");
  if (type === "ExternalName") return textAt(service, "spec.externalName") ?? "";
  const ingress = listAt(service, "status.loadBalancer.ingress").map(
    (entry) => textAt(entry, "ip") ?? textAt(entry, "hostname") ?? "",
  );
  const addresses = [...(type === "LoadBalancer" ? ingress : []), ...listAt(service, "spec.externalIPs")];
  if (addresses.length > 0) return addresses.join(",");
  return type === "LoadBalancer" ? "<pending>" : "<none>";
}

function portText(port: unknown): string {
  const nodePort = textAt(port, "nodePort");
  return `${textAt(port, "port")}${nodePort === undefined ? "" : `:${nodePort}`}/${textAt(port, "protocol") ?? "TCP"}`;
}
