import { type KubernetesObject, listAt, textAt, valueAt } from "../kubernetes-object.ts";
import { AGE_COLUMN, age, column, NAME_COLUMN, wide } from "./column.ts";
import type { TableLayout } from "./table.ts";

const ADDRESSES =
  "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).";

const ROLE_LABEL = "node-role.kubernetes.io/";

export const nodeTable: TableLayout = {
  columns: [
    NAME_COLUMN,
    column("Status", "string", "The status of the node"),
    column("Roles", "string", "The roles of the node"),
    AGE_COLUMN,
    column("Version", "string", "Kubelet Version reported by the node."),
    wide("Internal-IP", "string", ADDRESSES),
    wide("External-IP", "string", ADDRESSES),
    wide(
      "OS-Image",
      "string",
      "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).",
    ),
    wide(
      "Kernel-Version",
      "string",
      "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).",
    ),
    wide(
      "Container-Runtime",
      "string",
      "ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).",
    ),
  ],
  cells: (node, { now, gitVersion }) => [
    node.metadata.name ?? "",
    statusOf(node),
    rolesOf(node),
    age(node.metadata.creationTimestamp, now),
    textAt(node, "status.nodeInfo.kubeletVersion") ?? "",
    addressOf(node, "InternalIP"),
    addressOf(node, "ExternalIP"),
    textAt(node, "status.nodeInfo.osImage") || "<unknown>",
    kernelOf(node, gitVersion),
    textAt(node, "status.nodeInfo.containerRuntimeVersion") || "<unknown>",
  ],
};

function statusOf(node: KubernetesObject): string {
  const ready = listAt(node, "status.conditions").find((condition) => textAt(condition, "type") === "Ready");
  const status = ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return valueAt(node, "spec.unschedulable") === true ? `${status},SchedulingDisabled` : status;
}

function rolesOf(node: KubernetesObject): string {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_LABEL) && key.length > ROLE_LABEL.length) return [key.slice(ROLE_LABEL.length)];
    return key === "kubernetes.io/role" && value !== "" ? [value] : [];
  });
  return roles.length === 0 ? "<none>" : [...new Set(roles)].sort().join(",");
}

function addressOf(node: KubernetesObject, type: string): string {
  const found = listAt(node, "status.addresses").find((address) => textAt(address, "type") === type);
  return textAt(found, "address") ?? "<none>";
}

/** The kernel, with the architecture behind it as servers from 1.36 print it (`6.6.65-flatcar (amd64)`). */
function kernelOf(node: KubernetesObject, gitVersion: string): string {
  const kernel = textAt(node, "status.nodeInfo.kernelVersion");
  if (kernel === undefined || kernel === "") return "<unknown>";
  const architecture = textAt(node, "status.nodeInfo.architecture");
  const minor = Number(/^v1\.(\d+)/.exec(gitVersion)?.[1] ?? 0);
  return minor >= 36 && architecture !== undefined ? `${kernel} (${architecture})` : kernel;
}
