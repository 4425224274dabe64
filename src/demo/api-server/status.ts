import { goJson } from "./go-json.ts";
import type { ResourceRequest } from "./request-path.ts";

/** An answer before it is written: headers beyond those that every answer has. */
export interface Answer {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
}

interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";
const NO_SNIFF = { "X-Content-Type-Options": "nosniff" };

export function jsonAnswer(body: string): Answer {
  return { status: 200, contentType: JSON_TYPE, body: `${body}\n` };
}

export function textAnswer(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, contentType: TEXT_TYPE, body, headers: { ...NO_SNIFF, ...headers } };
}

/** A `Status` object with its fields in the server's order. */
function statusAnswer(
  code: number,
  reason: string,
  message: string,
  more: { details?: StatusDetails; continueToken?: string; headers?: Record<string, string> } = {},
): Answer {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: more.continueToken === undefined ? {} : { continue: more.continueToken },
    status: "Failure",
    message,
    reason,
    ...(more.details === undefined ? {} : { details: more.details }),
    code,
  };
  return {
    status: code,
    contentType: JSON_TYPE,
    body: `${goJson(status)}\n`,
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  };
}

export function badRequest(message: string): Answer {
  return statusAnswer(400, "BadRequest", message);
}

export function unauthorized(): Answer {
  return statusAnswer(401, "Unauthorized", "Unauthorized");
}

export function forbidden(user: string, request: ResourceRequest): Answer {
  const { verb, group, resource, subresource, namespace, name } = request;
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const subject = name === "" ? qualified : `${qualified} "${name}"`;
  const asked = subresource === "" ? resource : `${resource}/${subresource}`;
  const scope = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  return statusAnswer(
    403,
    "Forbidden",
    `${subject} is forbidden: User "${user}" cannot ${verb} resource "${asked}" in API group "${group}" ${scope}`,
    { details: detailsOf(request), headers: NO_SNIFF },
  );
}

export function forbiddenPath(user: string, path: string): Answer {
  return statusAnswer(403, "Forbidden", `forbidden: User "${user}" cannot get path "${path}"`, {
    details: {},
    headers: NO_SNIFF,
  });
}

export function notFound(request: ResourceRequest): Answer {
  const qualified = request.group === "" ? request.resource : `${request.resource}.${request.group}`;
  const message = `${qualified} "${request.name}" not found`;
  return statusAnswer(404, "NotFound", message, { details: detailsOf(request) });
}

/** A resource that a group the server itself serves does not have. */
export function unknownResource(): Answer {
  return statusAnswer(404, "NotFound", "the server could not find the requested resource", { details: {} });
}

/** Any other path, a kind that is not installed included: plain text, not a Status. */
export function unknownPath(): Answer {
  return textAnswer(404, "404 page not found\n");
}

export function methodNotAllowed(): Answer {
  const message = "the server does not allow this method on the requested resource";
  return statusAnswer(405, "MethodNotAllowed", message, { details: {}, headers: { Allow: "GET" } });
}

export function notAcceptable(accepted: readonly string[]): Answer {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return statusAnswer(406, "NotAcceptable", message);
}

export function expired(freshToken: string | undefined): Answer {
  const message =
    freshToken === undefined
      ? "The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter."
      : "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return statusAnswer(410, "Expired", message, freshToken === undefined ? {} : { continueToken: freshToken });
}

export function tooManyRequests(retryAfterSeconds: number | undefined): Answer {
  const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return textAnswer(429, "Too many requests, please try again later.\n", headers);
}

export function internalError(detail: string): Answer {
  return statusAnswer(500, "InternalError", `Internal error occurred: ${detail}`, { details: {} });
}

function detailsOf({ name, group, resource }: ResourceRequest): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource };
}
