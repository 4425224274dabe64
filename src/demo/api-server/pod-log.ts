import { listAt, textAt } from "./kubernetes-object.ts";
import { type Answer, badRequest, textAnswer } from "./status.ts";
import type { StoredObject } from "./stored-object.ts";

/** The answer to GET .../pods/NAME/log. */
export function podLogAnswer(
  pod: StoredObject,
  query: URLSearchParams,
  logs: Readonly<Record<string, string>>,
): Answer {
  const containers = listAt(pod.object, "spec.containers").map(
    (container) => textAt(container, "name") ?? "",
  );
  const asked = query.get("container") ?? "";
  if (asked === "" && containers.length > 1) {
    return badRequest(
      `a container name must be specified for pod ${pod.name}, choose one of: [${containers.join(" ")}]`,
    );
  }
  const container = asked === "" ? (containers[0] ?? "") : asked;
  if (!containers.includes(container)) {
    return badRequest(`container ${container} is not valid for pod ${pod.name}`);
  }
  const text = logs[`${pod.namespace}/${pod.name}/${container}`] ?? "";
  const limit = Number(query.get("limitBytes") ?? Number.POSITIVE_INFINITY);
  const body = Buffer.from(text).subarray(0, limit).toString();
  return { ...textAnswer(200, body), contentType: "text/plain" };
}
