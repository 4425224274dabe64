import type { Outcome } from "#src/kubernetes/outcome.ts";
import { notSeen, type Observed, partlySeen, type Source, seen } from "#src/model/observed.ts";
import { awsFailureOf } from "./failure.ts";

/** One page of a list: its items and, while there are more, the token of the next. */
export interface AwsPage<T> {
  items: readonly T[];
  nextToken: string | undefined;
}

/** Pages without an item are normal (Organizations); a list that never ends is not. */
const PAGES_AT_MOST = 10_000;

/**
 * A list read to its end, page by page; what came before a failure is kept, as a part. A page without items is
 * followed as any other: Organizations "can return empty pages with a NextToken".
 */
export async function readPages<T>(
  ask: (nextToken: string | undefined) => Promise<AwsPage<T>>,
  source: Source,
): Promise<Observed<T[]>> {
  const items: T[] = [];
  const tokens = new Set<string>();
  let token: string | undefined;
  for (let page = 0; ; page += 1) {
    try {
      const answer = await ask(token);
      items.push(...answer.items);
      token = answer.nextToken;
    } catch (error) {
      const { why, detail } = awsFailureOf(error, source.ref);
      return page === 0 ? notSeen(why, detail, source) : partlySeen(items, why, detail, source);
    }
    if (token === undefined || token === "") return seen(items, source);
    if (tokens.has(token) || page >= PAGES_AT_MOST) {
      return partlySeen(items, "invalid", `${source.ref}: the list does not end`, source);
    }
    tokens.add(token);
  }
}

/** One call's answer, or what its failure means. */
export async function asked<T>(call: string, ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await ask() };
  } catch (error) {
    return awsFailureOf(error, call);
  }
}
