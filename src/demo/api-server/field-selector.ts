import { type KubernetesObject, textAt } from "./kubernetes-object.ts";

export type FieldPredicate = (object: KubernetesObject) => boolean;

const EVERY_KIND = ["metadata.name", "metadata.namespace"];

/** Fields a kind can be selected by beyond its name and namespace; others are refused. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  nodes: ["spec.unschedulable"],
  pods: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  services: ["spec.clusterIP", "spec.type"],
  secrets: ["type"],
  jobs: ["status.successful"],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
};

/** The predicate of a field selector (`reason=IPVSDeprecation,type!=Normal`), or why the server refuses it. */
export function parseFieldSelector(text: string, plural: string): FieldPredicate | { refused: string } {
  const known = [...EVERY_KIND, ...(SELECTABLE[plural] ?? [])];
  const requirements: FieldPredicate[] = [];
  for (const term of text.split(",").filter((part) => part !== "")) {
    const [, field, operator, value] = /^(.*?)(!=|==|=)(.*)$/.exec(term) ?? [];
    if (field === undefined) return { refused: `invalid selector: '${text}'; can't understand '${term}'` };
    if (!known.includes(field)) return { refused: refusal(field, plural) };
    requirements.push((object) => (fieldOf(object, field, plural) === value) === (operator !== "!="));
  }
  return (object) => requirements.every((holds) => holds(object));
}

function refusal(field: string, plural: string): string {
  return SELECTABLE[plural] === undefined
    ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${field}`;
}

function fieldOf(object: KubernetesObject, field: string, plural: string): string {
  if (plural === "events" && field === "source") {
    return textAt(object, "source.component") ?? textAt(object, "reportingComponent") ?? "";
  }
  return (
    textAt(object, field) ?? (field === "spec.unschedulable" || field === "spec.hostNetwork" ? "false" : "")
  );
}
