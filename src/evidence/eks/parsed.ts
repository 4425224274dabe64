import type { z } from "zod";
import { failed, type Outcome } from "#src/kubernetes/outcome.ts";
import { mapObserved, notSeen, type Observed } from "#src/model/observed.ts";

/** An AWS answer, if it is of the shape that was asked for. */
export function parsed<T>(outcome: Outcome<unknown>, schema: z.ZodType<T>): Outcome<T> {
  if (!outcome.ok) return outcome;
  const result = schema.safeParse(outcome.value);
  return result.success
    ? { ok: true, value: result.data }
    : failed("invalid", `the EKS API's answer is not what was expected${placeOf(result.error)}`);
}

/** The items of all pages together; one page of another shape makes the whole list unread. */
export function parsedPages<T>(pages: Observed<unknown[]>, schema: z.ZodType<T[]>): Observed<T[]> {
  if (pages.seen === false) return pages;
  const items: T[] = [];
  for (const page of pages.value) {
    const outcome = parsed({ ok: true, value: page }, schema);
    if (!outcome.ok) return notSeen(outcome.why, `${pages.source.ref}: ${outcome.detail}`, pages.source);
    items.push(...outcome.value);
  }
  return mapObserved(pages, () => items);
}

/** Where the shapes differ; never the value. */
function placeOf(error: z.ZodError): string {
  const path = error.issues[0]?.path.join(".") ?? "";
  return path === "" ? "" : ` at ${path}`;
}
