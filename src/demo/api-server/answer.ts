import { discoveryAnswer } from "./discovery.ts";
import { isBuiltInGroup } from "./kinds.ts";
import { freshToken, listAnswer } from "./list-answer.ts";
import type { Collection, ObjectIndex } from "./object-index.ts";
import type { ApiServerOptions, ApiServerUser } from "./options.ts";
import { podLogAnswer } from "./pod-log.ts";
import { isAllowed } from "./rbac.ts";
import { ACCEPTED_TYPES, type AnswerForm, answerFormOf } from "./representation.ts";
import { type ResourceRequest, resourceRequestOf } from "./request-path.ts";
import {
  type Answer,
  expired,
  forbidden,
  forbiddenPath,
  jsonAnswer,
  notAcceptable,
  notFound,
  textAnswer,
  unauthorized,
  unknownPath,
  unknownResource,
} from "./status.ts";
import { type TableContext, tableParts } from "./tables/table.ts";
import { versionAnswer } from "./version-answer.ts";

/** Who sent the request: a known user, nobody (no token), or somebody with a token that is not known. */
export type Caller = ApiServerUser | "anonymous" | "bad-token";

export interface Question {
  url: URL;
  accept: string | undefined;
  caller: Caller;
  now: Date;
}

const ANONYMOUS = "system:anonymous";
/** With /version bound to system:public-info-viewer in every cluster: readable without a token, unless that is off. */
const HEALTH_PATHS = new Set(["/healthz", "/livez", "/readyz"]);

export function userNameOf(caller: Caller): string {
  return typeof caller === "string" ? ANONYMOUS : caller.name;
}

/** The answer to a GET: authentication, then authorization, then the question itself, as the server has them. */
export function answerTo(question: Question, index: ObjectIndex, options: ApiServerOptions): Answer {
  const { url, caller } = question;
  if (caller === "bad-token" || (caller === "anonymous" && options.anonymous === "none"))
    return unauthorized();
  const name = userNameOf(caller);
  const rules = caller === "anonymous" ? [] : caller.rules;

  const request = resourceRequestOf(url.pathname, url.searchParams);
  if (request === undefined) return pathAnswer(url.pathname, caller, index, options);
  // This server has no watches: it answers as one whose role lacks them.
  if (request.verb === "watch" || !isAllowed(rules, request)) return forbidden(name, request);

  const collection = index.collectionOf(request);
  if (collection === undefined) return isBuiltInGroup(request.group) ? unknownResource() : unknownPath();
  const form = answerFormOf(question.accept);
  if (form === undefined) return notAcceptable(ACCEPTED_TYPES);
  const table: TableContext = { now: question.now, gitVersion: options.version.gitVersion };
  if (request.verb === "list") {
    const resourceVersion = options.resourceVersion ?? index.resourceVersion;
    return listAnswer({ collection, request, query: url.searchParams, form, resourceVersion, table });
  }
  return objectAnswer(collection, request, url.searchParams, form, table, options);
}

/** Paths that name no resource: version and health for everybody, discovery for every user. */
function pathAnswer(
  path: string,
  caller: ApiServerUser | "anonymous",
  index: ObjectIndex,
  options: ApiServerOptions,
): Answer {
  if (path === "/version" || path === "/version/") return versionAnswer(options.version);
  if (HEALTH_PATHS.has(path)) return textAnswer(200, "ok");
  if (caller !== "anonymous") {
    const found = discoveryAnswer(
      path,
      index.collections.map(({ resource }) => resource),
    );
    if (found !== undefined) return found;
    if (caller.rules === "all") return unknownPath();
  }
  return forbiddenPath(userNameOf(caller), path);
}

/** 410 to a continued list, as after a compaction. */
export function expiredAnswer(url: URL, offer: "fresh" | "none"): Answer {
  return expired(offer === "fresh" ? freshToken(url.searchParams.get("continue") ?? "") : undefined);
}

function objectAnswer(
  collection: Collection,
  request: ResourceRequest,
  query: URLSearchParams,
  form: AnswerForm,
  table: TableContext,
  options: ApiServerOptions,
): Answer {
  const { resource } = collection;
  const isLog = resource.plural === "pods" && request.subresource === "log";
  if (request.subresource !== "" && !isLog) return unknownResource();
  if (resource.namespaced && request.namespace === "") return unknownResource();
  const key = request.namespace === "" ? request.name : `${request.namespace}/${request.name}`;
  const stored = collection.byKey.get(key);
  if (stored === undefined) return notFound(request);
  if (isLog) return podLogAnswer(stored, query, options.logs ?? {});
  if (form === "metadata") return jsonAnswer(stored.metadataJson());
  if (form === "object") return jsonAnswer(stored.objectJson());
  const { columns, rows } = tableParts(resource, [stored], query.get("includeObject"), table);
  const metadata = JSON.stringify({ resourceVersion: stored.object.metadata.resourceVersion ?? "" });
  return jsonAnswer(
    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${columns},"rows":[${rows.join(",")}]}`,
  );
}
