import type { Observed } from "#src/model/observed.ts";
import type { Clock } from "./clock.ts";
import type { Fold, Listed, ListRequest, Representation } from "./cluster-reader.ts";
import { type Answer, jsonOf, type Outcome, refusalOf, statusOf } from "./outcome.ts";
import { type Asked, pageFrom } from "./page.ts";
import { type FetchPage, type PageAnswer, readPages } from "./paging.ts";
import type { Request } from "./requests.ts";
import { resourcePath } from "./resources.ts";

const PAGE_SIZE = 500;

/** Each with plain JSON behind it, for servers that know no other form. */
const ACCEPT = {
  objects: "application/json",
  metadata: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json",
  table: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
} as const satisfies Record<Representation, string>;

export interface CollectionContext {
  request: Request;
  server: URL;
  clock: Clock;
}

/** GET of a collection. No `resourceVersion` is sent: with `0` the server ignores `limit` (kube-apiserver, watch cache). */
export function listCollection<T>(
  wanted: ListRequest,
  fold: Fold<T>,
  { request, server, clock }: CollectionContext,
): Promise<Observed<Listed<T>>> {
  const { resource, namespace, labelSelector, fieldSelector, as = "objects" } = wanted;
  const path = resourcePath(resource, namespace === undefined ? {} : { namespace });
  const selectors = { labelSelector, fieldSelector };
  let columns: readonly string[] = [];

  const fetchPage: FetchPage = async ({ token, limit }) => {
    const query = queryOf({
      ...selectors,
      includeObject: as === "table" ? "None" : undefined,
      limit: String(limit),
      continue: token,
    });
    const answer = pageAnswer(await request(path + query, ACCEPT[as]), server, { resource, as, columns });
    if (answer.kind === "page" && answer.listed.page.kind === "table") columns = answer.listed.page.columns;
    return answer;
  };

  return readPages(fetchPage, fold, {
    pageSize: wanted.pageSize ?? PAGE_SIZE,
    atMost: wanted.atMost ?? Number.POSITIVE_INFINITY,
    source: { kind: "kubernetes", ref: path + queryOf(selectors), at: clock.now().toISOString() },
  });
}

function pageAnswer(outcome: Outcome<Answer>, server: URL, asked: Asked): PageAnswer {
  if (!outcome.ok) return { kind: "failed", failure: outcome };
  if (outcome.value.status === 410) {
    const status = statusOf(outcome.value);
    const detail = status?.message || "the continue token has expired (HTTP 410)";
    return { kind: "expired", freshToken: status?.continueToken, detail };
  }
  const body = refusalOf(outcome.value, server) ?? jsonOf(outcome.value);
  const page = body.ok ? pageFrom(body.value, asked) : body;
  return page.ok ? { kind: "page", listed: page.value } : { kind: "failed", failure: page };
}

/** `?a=b&c=d` of what is set, or nothing. */
export function queryOf(parameters: Record<string, string | undefined>): string {
  const set = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
