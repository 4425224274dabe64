import { type NotSeen, notSeen, type Observed, partlySeen, type Source, seen } from "#src/model/observed.ts";
import type { Fold, Listed } from "./cluster-reader.ts";
import type { Failed } from "./outcome.ts";
import { firstOf, type ListedPage, sizeOf } from "./page.ts";

export type PageAnswer =
  | { kind: "page"; listed: ListedPage }
  /** 410: the token is older than what the server keeps (etcd compaction, 5 minutes by default). */
  | { kind: "expired"; freshToken: string | undefined; detail: string }
  | { kind: "failed"; failure: Failed };

export interface PagingOptions {
  pageSize: number;
  /** Stop after that many items; `Infinity` for all. */
  atMost: number;
  source: Source;
}

/** Fetches the page at a token, or the first one. */
export type FetchPage = (at: { token: string | undefined; limit: number }) => Promise<PageAnswer>;

const RESTARTS_WITH_TOKEN = 1;
const RESTARTS_WITHOUT_TOKEN = 2;
/** A server that expires every token would otherwise be asked until the deadline. */
const EXPIRIES_AT_MOST = 10;
const INCONSISTENT = "list is inconsistent: continue token expired twice";

/**
 * A list, page by page, folded into one value.
 *
 * A continue token that expires (410) starts the list over, once: only that gives a consistent list. When it
 * expires again, reading goes on with the fresh token of the answer. Objects that changed in between may then be
 * missing or twice (apimachinery, `ListMeta.continue`), so such a list is only partly seen.
 */
export async function readPages<T>(
  fetchPage: FetchPage,
  fold: Fold<T>,
  { pageSize, atMost, source }: PagingOptions,
): Promise<Observed<Listed<T>>> {
  let reading = startReading(fold);
  let expiries = 0;
  for (;;) {
    const limit = Math.max(1, Math.min(pageSize, atMost - reading.count));
    const answer = await fetchPage({ token: reading.token, limit });
    if (answer.kind === "failed") return stopped(reading, answer.failure, pageSize, source);
    if (answer.kind === "expired") {
      expiries += 1;
      const { freshToken, detail } = answer;
      if (expiries <= (freshToken === undefined ? RESTARTS_WITHOUT_TOKEN : RESTARTS_WITH_TOKEN)) {
        reading = startReading(fold);
      } else if (freshToken !== undefined && expiries <= EXPIRIES_AT_MOST) {
        reading.token = freshToken;
        reading.inconsistent = true;
      } else {
        return stopped(reading, { ok: false, why: "invalid", detail }, pageSize, source);
      }
      continue;
    }
    const { listed } = answer;
    const repeated = listed.next !== undefined && listed.next === reading.token;
    take(reading, listed, atMost, fold);
    if (repeated) {
      const detail = "the server gives the same continue token again";
      return stopped(reading, { ok: false, why: "invalid", detail }, pageSize, source);
    }
    if (reading.token === undefined || reading.count >= atMost) return finished(reading, source);
  }
}

interface Reading<T> {
  value: T;
  count: number;
  pages: number;
  token: string | undefined;
  remaining: number | null;
  inconsistent: boolean;
}

function startReading<T>(fold: Fold<T>): Reading<T> {
  return { value: fold.start(), count: 0, pages: 0, token: undefined, remaining: null, inconsistent: false };
}

function take<T>(reading: Reading<T>, listed: ListedPage, atMost: number, fold: Fold<T>): void {
  // A server may ignore `limit` and send more than was asked for.
  const wanted = firstOf(listed.page, atMost - reading.count);
  const left = sizeOf(listed.page) - sizeOf(wanted);
  fold.add(reading.value, wanted);
  reading.count += sizeOf(wanted);
  reading.pages += 1;
  reading.token = listed.next;
  if (listed.next === undefined) reading.remaining = left;
  else reading.remaining = listed.remaining === undefined ? null : left + listed.remaining;
}

function finished<T>(reading: Reading<T>, source: Source): Observed<Listed<T>> {
  const { value, count, remaining } = reading;
  const listed = { value, count, remaining };
  return reading.inconsistent ? partlySeen(listed, "invalid", INCONSISTENT, source) : seen(listed, source);
}

/** Pages read before the failure are kept: they may prove a blocker, never a pass. */
function stopped<T>(
  reading: Reading<T>,
  { why, detail }: Failed,
  pageSize: number,
  source: Source,
): Observed<Listed<T>> | NotSeen {
  const { value, count, pages, remaining } = reading;
  if (pages === 0) return notSeen(why, detail, source);
  const all = remaining === null ? undefined : pages + Math.ceil(remaining / pageSize);
  const read = all === undefined ? `${pages} ${pages === 1 ? "page" : "pages"}` : `${pages} of ~${all} pages`;
  return partlySeen({ value, count, remaining }, why, `${read}: ${detail}`, source);
}
