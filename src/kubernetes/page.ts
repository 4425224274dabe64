import { z } from "zod";
import type { Page, Representation } from "./cluster-reader.ts";
import { failed, type Outcome } from "./outcome.ts";
import type { Resource } from "./resources.ts";

/** One page of a list, with what the server says about the rest. */
export interface ListedPage {
  page: Page;
  /** Token of the next page; undefined on the last. */
  next: string | undefined;
  /** Items after this page; the server does not count them for every list. */
  remaining: number | undefined;
}

const metadataSchema = z.object({
  continue: z.string().optional(),
  remainingItemCount: z.number().int().nonnegative().optional().catch(undefined),
});

/** Go writes an empty list as `null` where nothing was appended to it. */
const listSchema = z.object({
  kind: z.string(),
  metadata: metadataSchema.default({}),
  items: z.array(z.unknown()).nullable(),
});

const tableSchema = z.object({
  kind: z.literal("Table"),
  metadata: metadataSchema.default({}),
  columnDefinitions: z.array(z.object({ name: z.string() })).nullish(),
  rows: z.array(z.object({ cells: z.array(z.unknown()) })).nullable(),
});

/** What was asked for, to judge what came. */
export interface Asked {
  resource: Resource;
  as: Representation;
  /** Of the first page: later pages of a Table may leave them out. */
  columns: readonly string[];
}

/**
 * A page by the kind that its body names, because a server that knows no Table or no metadata-only form answers
 * with objects. An answer of any other kind is `invalid`, never an empty page.
 */
export function pageFrom(body: unknown, asked: Asked): Outcome<ListedPage> {
  const table = tableSchema.safeParse(body);
  if (table.success && asked.as === "table") {
    const { columnDefinitions, rows, metadata } = table.data;
    const columns = columnDefinitions?.length ? columnDefinitions.map(({ name }) => name) : asked.columns;
    return listedPage({ kind: "table", columns, rows: (rows ?? []).map(({ cells }) => cells) }, metadata);
  }
  const list = listSchema.safeParse(body);
  if (list.success && isListOf(list.data.kind, asked)) {
    return listedPage({ kind: "objects", items: list.data.items ?? [] }, list.data.metadata);
  }
  return failed("invalid", `the answer is not a list of ${asked.resource.plural}`);
}

/** Items on a page. */
export function sizeOf(page: Page): number {
  return page.kind === "table" ? page.rows.length : page.items.length;
}

/** The first `count` items of a page. */
export function firstOf(page: Page, count: number): Page {
  return page.kind === "table"
    ? { ...page, rows: page.rows.slice(0, count) }
    : { ...page, items: page.items.slice(0, count) };
}

function isListOf(kind: string, { resource, as }: Asked): boolean {
  if (kind === "PartialObjectMetadataList") return as === "metadata";
  return kind === `${resource.kind}List` || kind === "List";
}

function listedPage(page: Page, metadata: z.infer<typeof metadataSchema>): Outcome<ListedPage> {
  const next = metadata.continue === "" ? undefined : metadata.continue;
  return { ok: true, value: { page, next, remaining: metadata.remainingItemCount } };
}
