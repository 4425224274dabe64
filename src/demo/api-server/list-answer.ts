import { parseLabelSelector } from "#src/kubernetes/label-selector.ts";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { parseFieldSelector } from "./field-selector.ts";
import { goJson } from "./go-json.ts";
import { apiVersionOf, isBuiltInGroup } from "./kinds.ts";
import type { Collection } from "./object-index.ts";
import type { AnswerForm } from "./representation.ts";
import type { ResourceRequest } from "./request-path.ts";
import { type Answer, badRequest, expired, jsonAnswer } from "./status.ts";
import type { StoredObject } from "./stored-object.ts";
import { type TableContext, tableParts } from "./tables/table.ts";

export interface ListQuestion {
  collection: Collection;
  request: ResourceRequest;
  query: URLSearchParams;
  form: AnswerForm;
  /** Resource version of the whole server. */
  resourceVersion: number;
  table: TableContext;
}

interface ListedPage {
  items: readonly StoredObject[];
  continueToken: string | undefined;
  /** Left out by the server when a selector is given: it would have to read on to know. */
  remainingItemCount: number | undefined;
}

/** The answer to a LIST: one page, or why the server refuses it. */
export function listAnswer(question: ListQuestion): Answer {
  const page = pageOf(question);
  if ("status" in page) return page;
  const { collection, form, query, table } = question;
  const metadata = metadataOf(question, page);
  if (form === "table") {
    const { columns, rows } = tableParts(collection.resource, page.items, query.get("includeObject"), table);
    return jsonAnswer(
      `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${columns},"rows":[${rows.join(",")}]}`,
    );
  }
  if (form === "metadata") {
    const items = page.items.map((stored) => stored.metadataJson()).join(",");
    return jsonAnswer(
      `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"items":[${items}]}`,
    );
  }
  const items = page.items.map((stored) => stored.itemJson()).join(",");
  const kind = goJson(`${collection.resource.kind}List`);
  const apiVersion = goJson(apiVersionOf(collection.resource));
  // Custom resources are encoded from a map, which sorts its keys; built-in lists are structs.
  return jsonAnswer(
    isBuiltInGroup(collection.resource.group)
      ? `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${metadata},"items":[${items}]}`
      : `{"apiVersion":${apiVersion},"items":[${items}],"kind":${kind},"metadata":${metadata}}`,
  );
}

/** The token that goes on after `text`'s position with whatever is there now, as a 410 answer offers it. */
export function freshToken(text: string): string | undefined {
  const token = decodeContinueToken(text);
  if ("refused" in token) return undefined;
  return encodeContinueToken({ resourceVersion: -1, after: token.after }, "continuation");
}

function metadataOf({ resourceVersion }: ListQuestion, page: ListedPage): string {
  return goJson({
    resourceVersion: String(resourceVersion),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  });
}

function pageOf({ collection, request, query, resourceVersion }: ListQuestion): ListedPage | Answer {
  const limitText = query.get("limit") ?? "";
  if (!/^-?\d*$/.test(limitText)) {
    return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(limitText)}: invalid syntax`);
  }
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  if ("refused" in labels) return badRequest(labels.refused);
  const fields = parseFieldSelector(query.get("fieldSelector") ?? "", request.resource);
  if ("refused" in fields) return badRequest(fields.refused);
  const continued = query.get("continue") ?? "";
  const token = continued === "" ? undefined : decodeContinueToken(continued);
  if (token !== undefined && "refused" in token) return badRequest(token.refused);
  if (token !== undefined && token.resourceVersion !== -1 && token.resourceVersion !== resourceVersion) {
    return expired(freshToken(continued));
  }

  const inNamespace = request.namespace !== "";
  const keyOf = (stored: StoredObject): string => (inNamespace ? stored.name : stored.key);
  const all = inNamespace ? (collection.byNamespace.get(request.namespace) ?? []) : collection.all;
  const selecting = (query.get("labelSelector") ?? "") !== "" || (query.get("fieldSelector") ?? "") !== "";
  const selected = selecting
    ? all.filter(({ object }) => labels(object.metadata.labels ?? {}) && fields(object))
    : all;
  const from = token === undefined ? 0 : firstAfter(selected, token.after, keyOf);
  // resourceVersion=0 is answered from the watch cache, whole: the limit is ignored (apiserver, computeListLimit).
  const unlimited = query.get("resourceVersion") === "0" && token === undefined;
  const limit = unlimited ? 0 : Number(limitText);
  const to = limit > 0 ? Math.min(selected.length, from + limit) : selected.length;
  const last = selected[to - 1];
  const more = to < selected.length && last !== undefined;
  return {
    items: selected.slice(from, to),
    continueToken: more
      ? encodeContinueToken(
          { resourceVersion, after: keyOf(last) },
          token === undefined ? "cache" : "continuation",
        )
      : undefined,
    remainingItemCount: more && !selecting ? selected.length - to : undefined,
  };
}

/** Index of the first item behind `after`; `items` are in the order of their keys. */
function firstAfter(
  items: readonly StoredObject[],
  after: string,
  keyOf: (stored: StoredObject) => string,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
