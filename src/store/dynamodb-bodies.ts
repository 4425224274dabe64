import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { unreadableItem } from "./dynamodb-errors.ts";
import { key } from "./dynamodb-keys.ts";
import { type Item, type Key, query, type StoreTable, writeAll } from "./dynamodb-requests.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Up to this many characters a body stays text, to be read in the AWS console as it is. */
const READABLE_CHARACTERS = 2_000;

/** An item has at most 400 KB with the names and values of all its attributes; the rest is for those. */
const PART_BYTES = 350 * 1_024;

const partsSchema = z.object({ id: z.string(), count: z.number().int().positive() });
export type Parts = z.infer<typeof partsSchema>;

/** JSON text, its gzip, or where its parts are. */
const storedBodySchema = z.union([
  z.object({ text: z.union([z.string(), z.instanceof(Uint8Array)]) }),
  z.object({ parts: partsSchema }),
]);

/**
 * Where a body goes: `body` for audits, which the indexes leave out, `record` for what is read from an index.
 */
export type BodyAttribute = "body" | "record";

/**
 * The attributes that hold a value, in an item that is still to be written. What is too large for one item is
 * written as parts before this returns, so that an item never names parts that are not there yet; each call
 * has parts of its own, and whose item was not written after all calls `deleteParts`.
 */
export async function storeBody(
  table: StoreTable,
  pk: string,
  attribute: BodyAttribute,
  value: unknown,
  ttl?: number,
): Promise<Item & { parts?: Parts }> {
  const text = JSON.stringify(value);
  if (text.length <= READABLE_CHARACTERS) return { [attribute]: text };
  const bytes = await compress(text);
  if (bytes.length <= PART_BYTES) return { [attribute]: bytes };
  const parts = { id: randomUUID(), count: Math.ceil(bytes.length / PART_BYTES) };
  await writeAll(
    table,
    partKeys(pk, parts).map((partKey, index) => ({
      PutRequest: {
        Item: {
          ...partKey,
          part: bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
          ...(ttl === undefined ? {} : { ttl }),
        },
      },
    })),
  );
  return { parts };
}

/** Nothing is thrown for a body that is damaged or incomplete; for a table that does not answer, as ever. */
export type ReadBody = { readable: true; value: unknown } | { readable: false; cause: unknown };

/** The value that `storeBody` stored with this item. */
export async function readBody(table: StoreTable, item: Item): Promise<ReadBody> {
  const stored = storedBodySchema.safeParse(
    item.parts === undefined ? { text: item.body ?? item.record } : { parts: item.parts },
  );
  if (!stored.success) return { readable: false, cause: stored.error };
  const bytes =
    "parts" in stored.data ? await readParts(table, String(item.pk), stored.data.parts) : stored.data.text;
  try {
    if (bytes === undefined) throw new Error("Not all of its parts are there.");
    const text = typeof bytes === "string" ? bytes : (await decompress(bytes)).toString("utf8");
    return { readable: true, value: JSON.parse(text) };
  } catch (cause) {
    return { readable: false, cause };
  }
}

/** The same as the type it was stored as. Throws `store-unavailable`, naming `what`, if it does not have that shape. */
export async function readBodyAs<T>(
  table: StoreTable,
  schema: z.ZodType<T>,
  item: Item,
  what: string,
): Promise<T> {
  const body = await readBody(table, item);
  if (!body.readable) throw unreadableItem(table.name, what, body.cause);
  const parsed = schema.safeParse(body.value);
  if (!parsed.success) throw unreadableItem(table.name, what, parsed.error);
  return parsed.data;
}

/** The parts that an item names; undefined for an item without. */
export function partsOf(item: Item | undefined): Parts | undefined {
  return partsSchema.safeParse(item?.parts).data;
}

export async function deleteParts(table: StoreTable, pk: string, parts: Parts | undefined): Promise<void> {
  if (parts === undefined) return;
  await writeAll(
    table,
    partKeys(pk, parts).map((partKey) => ({ DeleteRequest: { Key: partKey } })),
  );
}

/** All or nothing; that they are the right bytes is for gzip's checksum to say. */
async function readParts(table: StoreTable, pk: string, parts: Parts): Promise<Buffer | undefined> {
  const bytes: Uint8Array[] = [];
  const items = query(table, {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :parts)",
    ExpressionAttributeValues: { ":pk": pk, ":parts": `${key("PART", parts.id)}#` },
    ConsistentRead: true,
  });
  for await (const { part } of items) if (part instanceof Uint8Array) bytes.push(part);
  return bytes.length === parts.count ? Buffer.concat(bytes) : undefined;
}

function partKeys(pk: string, parts: Parts): Key[] {
  return Array.from({ length: parts.count }, (_, index) => ({
    pk,
    sk: key("PART", parts.id, String(index).padStart(4, "0")),
  }));
}
